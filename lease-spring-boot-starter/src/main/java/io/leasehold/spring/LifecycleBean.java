package io.leasehold.spring;

import org.springframework.context.SmartLifecycle;

/**
 * Any {@link SmartLifecycle} that follows the lease. Nothing can be put in front of its work and nothing counted: its stop
 * callback is all that tells when the work has stopped.
 */
record LifecycleBean(String name, SmartLifecycle lifecycle) implements ListenerContainer {

    @Override
    public void holdBack() {
        // SmartLifecycle only tells whether it starts by itself; it cannot be told not to.
    }

    @Override
    public boolean startsByItself() {
        return lifecycle.isAutoStartup();
    }

    @Override
    public boolean isRunning() {
        return lifecycle.isRunning();
    }

    @Override
    public void start() {
        lifecycle.start();
    }

    @Override
    public void stop(Runnable whenStopped) {
        lifecycle.stop(whenStopped);
    }

    @Override
    public int inFlight() {
        return 0;
    }
}
