package io.leasehold.spring;

/** A Redis for tests of other packages. */
public final class RedisServers {
    private final RedisServer server = new RedisServer();

    /** Starts it, again on the port that it had before. */
    public void start() throws Exception {
        server.start();
    }

    /** Starts it as a sentinel of another one, which it calls main. */
    public void startSentinel(RedisServers master) throws Exception {
        server.startSentinel(master.port());
    }

    /** Stops it at once, as if killed. */
    public void stop() throws Exception {
        server.close();
    }

    /** The first line of the answer. */
    public String command(String... words) {
        return server.command(words);
    }

    /** Its port. */
    public int port() {
        return server.port();
    }

    /** How an application reaches it. */
    public String[] properties() {
        return server.properties();
    }
}
