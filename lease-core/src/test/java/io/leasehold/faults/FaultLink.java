package io.leasehold.faults;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;

/** One connection through a {@link FaultProxy}. Safe for use by several threads. */
final class FaultLink {
    private static final int CHUNK = 1 << 16;

    private final FaultProxy proxy;
    private final Socket client;
    private final Socket server;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean holding;
    private boolean clientIsGone;

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
                    client.getOutputStream().write(chunk, 0, length);
                }
            }
        } catch (IOException e) {
            // One of the two has gone.
        }
        close(client);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no more use either way.
        }
    }
}
