package io.leasehold.sample.demo;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.system.ApplicationHome;

/**
 * The processes of a run: the same Java, and the same jar or class path, in other roles. Safe for use by several threads.
 */
final class Processes {
    static final String BROKER = "broker";
    static final String PUBLISHER = "publisher";
    static final String LEASE_NAME = "sample";
    static final List<String> REPLICAS = List.of("A", "B");

    /** Small and quick to start, and without files that a killed process would leave behind. */
    private static final List<String> JVM_OPTIONS =
            List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final DemoDirectory directory;
    private final DemoOptions options;
    private final Class<?> application;
    private final Map<String, Integer> ports;
    private final Map<String, Child> running = new ConcurrentHashMap<>();
    private final Map<String, Integer> starts = new ConcurrentHashMap<>();
    private final Signals signals;

    Processes(DemoDirectory directory, DemoOptions options, Class<?> application) throws IOException {
        this.directory = directory;
        this.options = options;
        this.application = application;
        this.ports = freePorts();
        this.signals = Signals.open();
    }

    /** Starts the broker, the publisher or a replica, whose name stays the same over its starts. */
    String start(String name) {
        String process = REPLICAS.contains(name) ? name + "-" + starts.merge(name, 1, Integer::sum) : name;
        running.put(name, Child.start(process, command(name, process), directory.log(process)));
        return process;
    }

    /** Writes a line to the standard input of a process. */
    void send(String name, String line) {
        get(name).send(line);
    }

    private Child get(String name) {
        Child child = running.get(name);
        if (child == null) {
            throw new IllegalStateException("There is no process " + name);
        }
        return child;
    }

    /** Throws when a process has ended by itself. */
    void requireAlive() {
        for (Child child : running.values()) {
            if (child.endedUnexpectedly()) {
                throw new DemoFailedException("The process " + child.name() + " has ended; its log is " + child.log());
            }
        }
    }

    /** Ends a process in good order. */
    void close(String name, Duration patience) throws InterruptedException {
        get(name).close(patience);
        running.remove(name);
    }

    /** SIGKILL. */
    void kill(String name) {
        get(name).kill();
    }

    /** SIGSTOP. */
    void freeze(String name) {
        signals.send("STOP", get(name).pid());
    }

    /** SIGCONT. */
    void thaw(String name) {
        signals.send("CONT", get(name).pid());
    }

    /** Kills whatever still runs, frozen or not. */
    void killAll() {
        running.values().forEach(Child::kill);
    }

    /** Where a Prometheus can scrape a replica. */
    String prometheusUrl(String replica) {
        return "http://127.0.0.1:" + ports.get(replica) + "/actuator/prometheus";
    }

    private List<String> command(String name, String process) {
        boolean replica = REPLICAS.contains(name);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.add("-Djava.io.tmpdir=" + directory.temporary());
        command.addAll(code());
        command.add(replica ? "replica" : name);
        command.add("--sample.console=true");
        command.add("--sample.history=" + HistoryTail.file(directory.histories(), process));
        command.add("--sample.broker-port=" + ports.get(BROKER));
        command.add("--sample.publish-every=" + options.publishEvery().toMillis() + "ms");
        command.add("--sample.work=" + options.work().toMillis() + "ms");
        if (replica) {
            command.add("--server.port=" + ports.get(name));
            command.add("--lease.name=" + LEASE_NAME);
            command.add("--lease.holder-id=" + name);
            command.add("--lease.ttl=" + options.ttl().toMillis() + "ms");
            command.add("--lease.file.path=" + directory.lease());
        }
        return command;
    }

    private List<String> code() {
        File source = new ApplicationHome(application).getSource();
        return source != null && source.isFile()
                ? List.of("-jar", source.toString())
                : List.of("-cp", System.getProperty("java.class.path"), application.getName());
    }

    /** Ports that nobody listens on at the moment. They are chosen together, so that no two are the same. */
    private static Map<String, Integer> freePorts() throws IOException {
        try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Map.of(
                    BROKER,
                    broker.getLocalPort(),
                    REPLICAS.get(0),
                    first.getLocalPort(),
                    REPLICAS.get(1),
                    second.getLocalPort());
        }
    }
}
