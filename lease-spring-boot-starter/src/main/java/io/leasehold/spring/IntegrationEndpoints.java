package io.leasehold.spring;

import io.leasehold.LeaderLease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;
import org.springframework.integration.context.IntegrationContextUtils;
import org.springframework.integration.endpoint.AbstractEndpoint;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

/**
 * All endpoints of one role of Spring Integration, as one container: they start in the order of their phases and stop in the
 * reverse of it, so that what a source emits finds its consumers there. Spring Integration's own events go with that, in
 * strict pairs and never on a thread of the lease: granted once all have started, revoked before the first one is stopped.
 * Its role controller hears these events; what it does to the endpoints is done already, or done again here.
 */
final class IntegrationEndpoints implements ListenerContainer {
    private static final Logger LOG = LoggerFactory.getLogger(IntegrationEndpoints.class);

    private final ApplicationContext context;
    private final String role;
    private final LeaderLease lease;
    private final MessageGuard guard;
    private volatile List<AbstractEndpoint> endpoints = List.of();
    private volatile boolean granted;
    private volatile boolean stopping;

    private IntegrationEndpoints(ApplicationContext context, String role, LeaderLease lease, MessageGuard guard) {
        this.context = context;
        this.role = role;
        this.lease = lease;
        this.guard = guard;
    }

    /** The role, where the application has Spring Integration enabled. */
    static Map<String, ListenerContainer> find(
            ApplicationContext context, String role, LeaderLease lease, Supplier<MessageGuard> guards) {
        if (!context.containsBean(IntegrationContextUtils.INTEGRATION_LIFECYCLE_ROLE_CONTROLLER)) {
            return Map.of();
        }
        IntegrationEndpoints found = new IntegrationEndpoints(context, role, lease, guards.get());
        return Map.of(found.name(), found);
    }

    @Override
    public String name() {
        return "role:" + role;
    }

    @Override
    public void holdBack() {
        endpoints = context.getBeansOfType(AbstractEndpoint.class, false, false).values().stream()
                .filter(endpoint -> role.equals(endpoint.getRole()))
                .sorted(Comparator.comparingInt(Phased::getPhase))
                .toList();
        for (AbstractEndpoint endpoint : endpoints) {
            endpoint.setAutoStartup(false);
            IntegrationChannel.guard(endpoint, this, guard);
        }
    }

    @Override
    public boolean isListed() {
        return !endpoints.isEmpty();
    }

    @Override
    public boolean startsByItself() {
        return endpoints.stream().anyMatch(SmartLifecycle::isAutoStartup);
    }

    /** While it is being stopped it counts as stopped already: whoever waits for that waits for the callback too. */
    @Override
    public boolean isRunning() {
        return granted || (!stopping && endpoints.stream().anyMatch(SmartLifecycle::isRunning));
    }

    @Override
    public void start() {
        endpoints.forEach(SmartLifecycle::start);
        granted = true;
        publish(new OnGrantedEvent(this, new LeaseContext(lease, role), role));
    }

    @Override
    public void stop(Runnable whenStopped) {
        stopping = true;
        try {
            if (granted) {
                granted = false;
                publish(new OnRevokedEvent(this, new LeaseContext(lease, role), role));
            }
            List<AbstractEndpoint> reversed = new ArrayList<>(endpoints);
            Collections.reverse(reversed);
            for (AbstractEndpoint endpoint : reversed) {
                stop(endpoint);
                // What a source has sent may be on its way to those that are stopped next.
                awaitQuiet();
            }
        } finally {
            stopping = false;
        }
        whenStopped.run();
    }

    @Override
    public int inFlight() {
        return guard.inFlight();
    }

    private void stop(AbstractEndpoint endpoint) {
        try {
            endpoint.stop();
        } catch (RuntimeException e) {
            // It still counts as running, and so is stopped again.
            LOG.warn("Endpoint {} of role {} could not be stopped", endpoint.getComponentName(), role, e);
        }
    }

    private void publish(ApplicationEvent event) {
        try {
            context.publishEvent(event);
        } catch (RuntimeException e) {
            LOG.error("Role {}: a listener of {} failed", role, event.getClass().getSimpleName(), e);
        }
    }

    /** What an event offers to whoever hears it. */
    private record LeaseContext(LeaderLease lease, String role) implements Context {

        @Override
        public boolean isLeader() {
            return lease.isHeld();
        }

        /** Returns before the surrender is over. */
        @Override
        public void yield() {
            lease.stepDown();
        }

        @Override
        public String getRole() {
            return role;
        }
    }
}
