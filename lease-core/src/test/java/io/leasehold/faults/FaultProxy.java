package io.leasehold.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A TCP proxy before a server on this host, that loses, delays and holds up what passes. Safe for use by several threads.
 */
public final class FaultProxy implements AutoCloseable {
    private static final InetAddress LOCAL = InetAddress.getLoopbackAddress();

    /** What comes so long after a client's last request is no answer. */
    private static final Duration ANSWERED = Duration.ofMillis(700);

    private final int target;
    private final List<FaultLink> links = new CopyOnWriteArrayList<>();
    private final ServerSocket listening = new ServerSocket(0, 50, LOCAL);
    private volatile boolean down;
    private boolean holding;
    private volatile boolean swallowing;
    private final AtomicBoolean cutting = new AtomicBoolean();
    private volatile boolean swallowingNotices;
    private volatile Duration dripPause = Duration.ZERO;
    private volatile CountDownLatch dripping = new CountDownLatch(0);
    private volatile int repliesLost;

    /**
     * A proxy that passes everything on.
     *
     * @param target the server's port
     */
    public FaultProxy(int target) throws IOException {
        this.target = target;
        daemon("proxy-accept", this::accept);
    }

    /** The port to connect to instead of the server's. */
    public int port() {
        return listening.getLocalPort();
    }

    /**
     * The server is down: connections are cut, and so are new ones, at once. They are not refused, because a client that
     * tries again and again on one host comes to connect to itself, and then has the port.
     */
    public synchronized void down() {
        down = true;
        links.forEach(FaultLink::cut);
        links.clear();
    }

    /** The server is up again. */
    public void up() {
        down = false;
    }

    /** From now on requests reach the server and replies are lost, on every connection; none is closed. */
    public void swallowReplies() {
        swallowing = true;
    }

    /** The next reply is lost, and its connection is cut. */
    public void cutNextReply() {
        cutting.set(true);
    }

    /** From now on what the server says unasked is lost, on every connection; none is closed, and requests are answered. */
    public void swallowNotices() {
        swallowingNotices = true;
    }

    /** From now on replies pass one byte at a time, on every connection, with such a pause before each. */
    public void drip(Duration pause) {
        dripPause = pause;
        dripping = new CountDownLatch(1);
    }

    /** How many pieces of replies were lost so far. */
    public int repliesLost() {
        return repliesLost;
    }

    /**
     * From now on what clients send waits here, even when they close the connection; once something waits, connections that
     * are new pass it by.
     */
    public synchronized void holdRequests() {
        holding = true;
        links.forEach(FaultLink::hold);
    }

    /** Whether something waits. */
    public boolean holdsRequests() {
        return links.stream().anyMatch(FaultLink::holdsSomething);
    }

    /** What waits reaches the server, and nothing waits any more. */
    public synchronized void deliver() throws IOException {
        holding = false;
        for (FaultLink link : links) {
            link.deliver();
        }
    }

    /** Everything passes again; connections that lost replies are cut. */
    public synchronized void heal() throws IOException {
        cutting.set(false);
        swallowingNotices = false;
        dripping.countDown();
        if (swallowing) {
            swallowing = false;
            links.forEach(FaultLink::cut);
            links.clear();
        }
        deliver();
        up();
    }

    @Override
    public void close() throws IOException {
        down();
        listening.close();
    }

    /** Whether a reply passes; if not, it is lost. */
    boolean passes(FaultLink link) {
        if (cutting.getAndSet(false)) {
            countLost();
            link.cut();
            return false;
        }
        if (swallowing || (swallowingNotices && link.carriesNotices(ANSWERED))) {
            countLost();
            return false;
        }
        return true;
    }

    /** Waits before a byte of a reply, if there is to be a pause; returns whether there was one, all of it. */
    boolean drips() throws InterruptedException {
        return !dripping.await(dripPause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void countLost() {
        repliesLost++;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (SocketException e) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private synchronized void connect(Socket client) throws IOException {
        if (down) {
            client.close();
            return;
        }
        try {
            FaultLink link = new FaultLink(this, client, new Socket(LOCAL, target));
            if (holding && !holdsRequests()) {
                link.hold();
            }
            links.add(link);
            link.start();
        } catch (IOException e) {
            client.close();
        }
    }

    static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
