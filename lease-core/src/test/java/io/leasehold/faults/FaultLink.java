package io.leasehold.faults;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Pattern;

/** One connection through a {@link FaultProxy}. Safe for use by several threads. */
final class FaultLink {
    private static final int CHUNK = 1 << 16;

    /** How the API server, Redis and PostgreSQL are asked for notices. */
    private static final Pattern NOTICES = Pattern.compile("watch=true|SUBSCRIBE|listen ");

    private final FaultProxy proxy;
    private final Socket client;
    private final Socket server;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean holding;
    private boolean clientIsGone;
    private volatile long requestedAtNs = System.nanoTime();
    private volatile boolean forNotices;

    FaultLink(FaultProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start() {
        FaultProxy.daemon("proxy-requests", this::requests);
        FaultProxy.daemon("proxy-replies", this::replies);
    }

    synchronized void hold() {
        holding = true;
    }

    /** Whether the client has asked for notices, and for nothing more for so long. */
    boolean carriesNotices(Duration quiet) {
        return forNotices && System.nanoTime() - requestedAtNs > quiet.toNanos();
    }

    synchronized boolean holdsSomething() {
        return held.size() > 0;
    }

    /** The server reads what was held back, and only then learns that the client has gone. */
    synchronized void deliver() throws IOException {
        holding = false;
        if (held.size() > 0 && !server.isClosed()) {
            held.writeTo(server.getOutputStream());
        }
        held.reset();
        if (clientIsGone && !server.isClosed() && !server.isOutputShutdown()) {
            server.shutdownOutput();
        }
    }

    void cut() {
        close(client);
        close(server);
    }

    private void requests() {
        try {
            InputStream in = client.getInputStream();
            byte[] chunk = new byte[CHUNK];
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                request(Arrays.copyOf(chunk, length));
            }
        } catch (IOException e) {
            // The client has gone, with or without a farewell.
        }
        clientHasGone();
    }

    private synchronized void request(byte[] sent) throws IOException {
        requestedAtNs = System.nanoTime();
        forNotices |=
                NOTICES.matcher(new String(sent, StandardCharsets.ISO_8859_1)).find();
        if (holding) {
            held.write(sent);
        } else {
            server.getOutputStream().write(sent);
        }
    }

    private synchronized void clientHasGone() {
        clientIsGone = true;
        if (!holding) {
            close(server);
        }
    }

    private void replies() {
        try {
            InputStream in = server.getInputStream();
            byte[] chunk = new byte[CHUNK];
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                if (proxy.passes(this)) {
                    reply(chunk, length);
                }
            }
        } catch (IOException e) {
            // One of the two has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close(client);
    }

    private void reply(byte[] chunk, int length) throws IOException, InterruptedException {
        OutputStream out = client.getOutputStream();
        int passed = 0;
        while (passed < length && proxy.drips()) {
            out.write(chunk, passed++, 1);
        }
        out.write(chunk, passed, length - passed);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no more use either way.
        }
    }
}
