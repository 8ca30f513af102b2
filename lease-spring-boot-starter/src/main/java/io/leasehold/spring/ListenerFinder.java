package io.leasehold.spring;

import io.leasehold.LeaderLease;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/** Finds the listener containers of a context: the place that knows which technologies there are. */
final class ListenerFinder {
    /** Each with a class that is there if the technology is; the class that finds its containers is loaded only then. */
    private static final Map<String, Technology> TECHNOLOGIES = technologies();

    private final ApplicationContext context;
    private final boolean all;
    private final List<String> names;
    private final Supplier<MessageGuard> guards;
    private final LeaderLease lease;
    private final String role;
    private final List<Technology> present;
    private final boolean integration;

    /**
     * Finds every listener container, or what is named.
     *
     * @param role of Spring Integration; it need not be named
     */
    ListenerFinder(
            ApplicationContext context,
            boolean all,
            List<String> names,
            Supplier<MessageGuard> guards,
            LeaderLease lease,
            String role) {
        this.lease = lease;
        this.role = role;
        this.context = context;
        this.all = all;
        this.names = names;
        this.guards = guards;
        this.present = TECHNOLOGIES.entrySet().stream()
                .filter(technology -> ClassUtils.isPresent(technology.getKey(), context.getClassLoader()))
                .map(Map.Entry::getValue)
                .toList();
        this.integration = ClassUtils.isPresent(
                "org.springframework.integration.endpoint.AbstractEndpoint", context.getClassLoader());
    }

    private static Map<String, Technology> technologies() {
        Map<String, Technology> all = new LinkedHashMap<>();
        all.put(
                "org.springframework.jms.listener.AbstractMessageListenerContainer",
                (beans, guards) -> JmsContainer.find(beans, guards));
        all.put(
                "org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer",
                (beans, guards) -> RabbitContainer.find(beans, guards));
        all.put(
                "org.springframework.kafka.listener.AbstractMessageListenerContainer",
                (beans, guards) -> KafkaContainer.find(beans, guards));
        all.put(
                "org.springframework.data.redis.listener.RedisMessageListenerContainer",
                (beans, guards) -> RedisContainer.find(beans, guards));
        all.put(
                "org.springframework.data.redis.stream.StreamMessageListenerContainer",
                (beans, guards) -> RedisStreamContainer.find(beans, guards));
        all.put(
                "io.awspring.cloud.sqs.listener.AbstractMessageListenerContainer",
                (beans, guards) -> SqsContainer.find(beans, guards));
        all.put(
                "org.springframework.pulsar.listener.PulsarListenerContainerRegistry",
                (beans, guards) -> PulsarContainer.find(beans, guards));
        return all;
    }

    /** What follows the lease, by name; names that match nothing are left out. */
    Map<String, ListenerContainer> find() {
        Map<String, ListenerContainer> found = new LinkedHashMap<>(all ? findContainers() : findNamed());
        if (integration) {
            IntegrationEndpoints.find(context, role, lease, guards)
                    .values()
                    .forEach(endpoints -> add(found, endpoints));
        }
        return found;
    }

    private Map<String, ListenerContainer> findNamed() {
        if (names.isEmpty()) {
            return Map.of();
        }
        Map<String, ListenerContainer> containers = findContainers();
        Map<String, ListenerContainer> selected = new LinkedHashMap<>();
        for (String name : names) {
            ListenerContainer container = containers.get(name);
            if (container != null) {
                selected.put(name, container);
            } else if (context.containsBean(name) && context.isTypeMatch(name, SmartLifecycle.class)) {
                selected.put(name, new LifecycleBean(name, context.getBean(name, SmartLifecycle.class)));
            }
        }
        return selected;
    }

    /**
     * Every listener container, named or not; never any other lifecycle bean.
     *
     * @throws UnsuitableListenerException when two have one name
     */
    Map<String, ListenerContainer> findContainers() {
        Map<String, ListenerContainer> all = new LinkedHashMap<>();
        for (Technology technology : present) {
            technology.find(context, guards).values().forEach(container -> add(all, container));
        }
        return all;
    }

    /**
     * Adds a container by its name.
     *
     * @throws UnsuitableListenerException when another has that name
     */
    static void add(Map<String, ListenerContainer> all, ListenerContainer container) {
        if (all.putIfAbsent(container.name(), container) != null) {
            throw new UnsuitableListenerException(
                    "Two listener containers are both named '" + container.name()
                            + "': a listener's id or a container's bean name is there twice.",
                    "Give one of them another id.");
        }
    }

    /** Finds the containers of one technology. */
    private interface Technology {
        Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards);
    }
}
