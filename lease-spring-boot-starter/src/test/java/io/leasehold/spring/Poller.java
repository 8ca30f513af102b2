package io.leasehold.spring;

import org.springframework.context.SmartLifecycle;

/** A lifecycle bean that may follow a lease, and only knows whether it runs. */
public final class Poller implements SmartLifecycle {
    private volatile boolean running;

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isAutoStartup() {
        return false;
    }
}
