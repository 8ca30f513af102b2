package io.leasehold.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two hosts with a faulty view each of one storage. */
final class TwoHosts implements AutoCloseable {
    private final FaultyMount mountA;
    private final FaultyMount mountB;
    private final Host hostA;
    private final Host hostB;

    /** Mounts below a directory; the state is on the faulty mounts too, or beside them on sound storage. */
    TwoHosts(Path directory, boolean soundState) throws IOException {
        Path backing = Files.createDirectory(directory.resolve("backing"));
        Path sound = directory.resolve("sound-state");
        mountA = new FaultyMount(backing, directory.resolve("a"));
        mountB = new FaultyMount(backing, directory.resolve("b"));
        hostA = host("a", mountA, soundState ? sound : mountA.path().resolve("state"));
        hostB = host("b", mountB, soundState ? sound : mountB.path().resolve("state"));
    }

    private static Host host(String name, FaultyMount mount, Path state) {
        return Host.of(name, mount.path().resolve("lease"), state);
    }

    void start(Replicas replicas) throws IOException {
        replicas.start(hostA);
        replicas.start(hostB);
        replicas.awaitLeader();
    }

    FaultyMount mountOf(Replica replica) {
        return replica.host().equals(hostA) ? mountA : mountB;
    }

    /** The one of the two replicas that is not this. */
    Replica other(Replicas replicas, Replica replica) {
        return replicas.alive().stream()
                .filter(other -> other != replica)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        mountA.close();
        mountB.close();
    }
}
