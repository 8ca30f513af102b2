package io.leasehold.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

/** Finds the listener containers of a context: the place that knows which technologies there are. */
final class ListenerFinder {
    private final ApplicationContext context;
    private final boolean all;
    private final List<String> names;
    private final Supplier<MessageGuard> guards;
    private final boolean jms;

    /** Finds every listener container, or what is named. */
    ListenerFinder(ApplicationContext context, boolean all, List<String> names, Supplier<MessageGuard> guards) {
        this.context = context;
        this.all = all;
        this.names = names;
        this.guards = guards;
        this.jms = ClassUtils.isPresent(
                "org.springframework.jms.listener.AbstractMessageListenerContainer", context.getClassLoader());
    }

    /** What follows the lease, by name; names that match nothing are left out. */
    Map<String, ListenerContainer> find() {
        if (all) {
            return findContainers();
        }
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

    /** Every listener container, named or not; never any other lifecycle bean. */
    Map<String, ListenerContainer> findContainers() {
        return jms ? JmsContainer.find(context, guards) : Map.of();
    }
}
