package io.leasehold.spring;

import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.store.LeaseStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;

/** An application with a lease in memory and containers that are driven by hand. */
record Replica(ConfigurableApplicationContext context, LeaderLease lease, Events events) implements AutoCloseable {

    /** Two seconds, with almost a second from the claim to the drain point for a machine that is slow. */
    static final String[] SHORT = {
        "lease.name=orders", "lease.ttl=2s", "lease.renew-interval=150ms", "lease.drain-timeout=700ms",
    };

    static Replica start(LeaseStore store, FakeContainer... containers) {
        return start(store, context -> {}, containers);
    }

    /** With beans of its own; properties go into the environment. */
    static Replica start(
            LeaseStore store, Consumer<GenericApplicationContext> customizer, FakeContainer... containers) {
        List<String> names =
                List.of(containers).stream().map(FakeContainer::name).toList();
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(SHORT)
                .properties("spring.main.banner-mode=off", "lease.listeners=" + String.join(",", names))
                .initializers(created -> {
                    GenericApplicationContext generic = (GenericApplicationContext) created;
                    generic.registerBean(LeaseStore.class, () -> store);
                    generic.registerBean(Events.class);
                    customizer.accept(generic);
                    for (FakeContainer container : containers) {
                        generic.registerBean(container.name(), FakeContainer.class, () -> container);
                    }
                })
                .run();
        return new Replica(context, context.getBean(LeaderLease.class), context.getBean(Events.class));
    }

    LeaseListeners listeners() {
        return context.getBean(LeaseListeners.class);
    }

    @Override
    public void close() {
        context.close();
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeaseAutoConfiguration.class)
    static class Application {}

    /** What was published, in order. */
    static final class Events {
        private final List<Object> published = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LeadershipAcquired event) {
            published.add(event);
        }

        @EventListener
        void on(LeadershipLost event) {
            published.add(event);
        }

        List<Object> published() {
            return published;
        }
    }
}
