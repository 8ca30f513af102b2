package io.leasehold.spring;

import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** An application as a user would write it: a listener, the starter, and five properties. */
record ListeningReplica(
        ConfigurableApplicationContext context, LeaderLease lease, SmartLifecycle container, Received received)
        implements AutoCloseable {

    /**
     * The drain timeout is above the second that a container's consumers may take to see that they are stopped; what remains
     * outlives a disk that stands still for some seconds.
     */
    private static final String[] SHORT = {
        "lease.name=orders", "lease.ttl=8s", "lease.renew-interval=150ms", "lease.drain-timeout=1500ms",
    };

    static ListeningReplica start(
            ListenerTechnology technology,
            BiConsumer<LeaderLease, String> work,
            Consumer<GenericApplicationContext> customizer,
            String... properties) {
        Received received = new Received(work);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(SHORT)
                .properties("spring.main.banner-mode=off")
                .properties(technology.properties())
                .properties(properties)
                .initializers(created -> {
                    GenericApplicationContext generic = (GenericApplicationContext) created;
                    technology.addListener(generic, text -> received.handle(generic.getBean(LeaderLease.class), text));
                    customizer.accept(generic);
                })
                .run();
        return new ListeningReplica(
                context, context.getBean(LeaderLease.class), technology.container(context), received);
    }

    LeaseListeners listeners() {
        return context.getBean(LeaseListeners.class);
    }

    boolean isIdle() {
        ListenersStatus status = listeners().status();
        return status.stage() == ListenersStage.HELD_BACK
                && status.inFlight() == 0
                && status.running().isEmpty();
    }

    @Override
    public void close() {
        context.close();
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** What the listener was given, and what it has finished. */
    static final class Received {
        private final BiConsumer<LeaderLease, String> work;
        private final List<Handled> begun = new CopyOnWriteArrayList<>();

        Received(BiConsumer<LeaderLease, String> work) {
            this.work = work;
        }

        private void handle(LeaderLease lease, String text) {
            Handled message = new Handled(text, System.nanoTime(), lease.isHeld());
            begun.add(message);
            work.accept(lease, text);
            message.doneNs = System.nanoTime();
        }

        /** In the order in which they were begun. */
        List<Handled> messages() {
            return begun;
        }

        List<String> begun() {
            return begun.stream().map(Handled::text).toList();
        }

        List<String> done() {
            return begun.stream()
                    .filter(message -> message.doneNs() != null)
                    .map(Handled::text)
                    .toList();
        }
    }

    /** One message that the listener was given. */
    static final class Handled {
        private final String text;
        private final long begunNs;
        private final boolean held;
        private volatile @Nullable Long doneNs;

        Handled(String text, long begunNs, boolean held) {
            this.text = text;
            this.begunNs = begunNs;
            this.held = held;
        }

        String text() {
            return text;
        }

        long begunNs() {
            return begunNs;
        }

        /** Whether the lease was held when it was begun. */
        boolean held() {
            return held;
        }

        /** Absent while it is at work, and where it failed. */
        @Nullable
        Long doneNs() {
            return doneNs;
        }
    }
}
