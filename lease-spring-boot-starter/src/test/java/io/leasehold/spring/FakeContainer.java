package io.leasehold.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.context.SmartLifecycle;

/** A listener container that records what is done with it; what its start does, and when its stop ends, is up to the test. */
final class FakeContainer implements SmartLifecycle {
    private final String name;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile Runnable onStart = () -> {};
    private volatile Consumer<Runnable> onStop = Runnable::run;
    private volatile boolean running;

    FakeContainer(String name) {
        this.name = name;
    }

    FakeContainer onStart(Runnable action) {
        onStart = action;
        return this;
    }

    /** The action is given the callback. */
    FakeContainer onStop(Consumer<Runnable> action) {
        onStop = action;
        return this;
    }

    String name() {
        return name;
    }

    List<String> calls() {
        return calls;
    }

    @Override
    public void start() {
        calls.add("start");
        running = true;
        onStart.run();
    }

    @Override
    public void stop() {
        calls.add("stop");
        running = false;
    }

    @Override
    public void stop(Runnable callback) {
        calls.add("stop");
        running = false;
        onStop.accept(() -> {
            calls.add("stopped");
            callback.run();
        });
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
