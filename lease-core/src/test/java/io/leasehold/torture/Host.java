package io.leasehold.torture;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Where and how replicas are started.
 *
 * @param name what their histories are named after
 * @param lease the lease's directory, as it is seen there
 * @param state the state's directory, as it is seen there
 * @param before the command that starts the command which follows it; empty for none
 * @param options further options of the virtual machine
 * @param environment further variables of the environment
 */
record Host(
        String name,
        Path lease,
        Path state,
        List<String> before,
        List<String> options,
        Map<String, String> environment) {

    static Host of(String name, Path lease, Path state) {
        return new Host(name, lease, state, List.of(), List.of(), Map.of());
    }

    Host startedBy(List<String> command) {
        return new Host(name, lease, state, command, options, environment);
    }

    Host withOptions(String... more) {
        return new Host(name, lease, state, before, List.of(more), environment);
    }

    Host withEnvironment(Map<String, String> variables) {
        return new Host(name, lease, state, before, options, variables);
    }
}
