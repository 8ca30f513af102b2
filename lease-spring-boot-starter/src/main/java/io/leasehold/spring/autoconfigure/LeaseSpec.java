package io.leasehold.spring.autoconfigure;

import io.leasehold.InvalidSettingException;
import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.autoconfigure.LeaseProperties.Named;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;

/**
 * One lease as configured: what is said for it, else what is said for all.
 *
 * @param properties what is said for all, or for the only one
 * @param name the name; null where the only lease has none
 * @param own what is said for this one of several; null for the only lease
 */
record LeaseSpec(
        LeaseProperties properties,
        @Nullable String name,
        @Nullable Named own) {

    /** The only lease of the application. */
    static LeaseSpec single(LeaseProperties properties, Environment environment) {
        String name =
                properties.name() != null ? properties.name() : environment.getProperty("spring.application.name");
        return new LeaseSpec(properties, name, null);
    }

    /** One of several leases. */
    static LeaseSpec named(LeaseProperties properties, String name) {
        return new LeaseSpec(
                properties, name, Objects.requireNonNull(properties.leases().get(name)));
    }

    LeaseSettings settings(Environment environment) {
        if (name == null) {
            throw new LeaseConfigurationException(
                    "The lease has no name: neither lease.name nor spring.application.name is set.",
                    "Set spring.application.name, or set lease.name to a text that all replicas of this application, and"
                            + " nothing else, share.");
        }
        try {
            return LeaseSettings.builder(name)
                    .holderPrefix(said(Named::holderId, properties.holderId()))
                    .ttl(said(Named::ttl, properties.ttl()))
                    .renewInterval(said(Named::renewInterval, properties.renewInterval()))
                    .drainTimeout(said(Named::drainTimeout, properties.drainTimeout()))
                    .verifyDelay(said(Named::verifyDelay, properties.verifyDelay()))
                    .maxClockSkew(said(Named::maxClockSkew, properties.maxClockSkew()))
                    .build();
        } catch (InvalidSettingException e) {
            throw broken(e, environment);
        }
    }

    /** What follows the lease: of several only what is named, of the only one everything where nothing is. */
    LeaseListeners listeners(LeaderLease lease, ApplicationContext context) {
        List<String> names = own == null ? properties.listeners() : own.listeners();
        LeaseListeners listeners = own == null && names.isEmpty()
                ? LeaseListeners.all(lease, context, startAttempts())
                : LeaseListeners.named(lease, context, names, startAttempts());
        String role = own == null ? properties.integrationRole() : own.integrationRole();
        return role == null ? listeners : listeners.withIntegrationRole(role);
    }

    private int startAttempts() {
        int attempts = Objects.requireNonNullElse(said(Named::startAttempts, properties.startAttempts()), 1);
        if (attempts < 1) {
            String property =
                    own != null && own.startAttempts() != null ? own("start-attempts") : "lease.start-attempts";
            throw new LeaseConfigurationException(
                    "The property " + property + " is " + attempts
                            + ", and a listener has to be started at least once.",
                    "Set it to 1 or more.");
        }
        return attempts;
    }

    /** The name of a property of this one of several leases. */
    String own(String setting) {
        return "lease.leases." + name + "." + setting;
    }

    private <T> @Nullable T said(Function<Named, @Nullable T> ownValue, @Nullable T shared) {
        T value = own == null ? null : ownValue.apply(own);
        return value == null ? shared : value;
    }

    private String nameSource() {
        if (own != null) {
            return "lease.leases";
        }
        return properties.name() != null ? "lease.name" : "spring.application.name";
    }

    /** Names the property, with the value as it was written. */
    private LeaseConfigurationException broken(InvalidSettingException e, Environment environment) {
        if (e.setting().equals("name")) {
            return new LeaseConfigurationException(
                    "The lease's name, from " + nameSource() + ", breaks a rule: " + e.problem(), e.action(), e);
        }
        String property = "lease." + e.setting();
        String written = environment.getProperty(property);
        String ownWritten = own == null ? null : environment.getProperty(own(e.setting()));
        if (ownWritten != null) {
            property = own(e.setting());
            written = ownWritten;
        }
        String asWritten = written == null ? " is not set, and its default" : ", set to '" + written + "',";
        return new LeaseConfigurationException(
                "The property " + property + asWritten + " breaks a rule: " + e.problem(), e.action(), e);
    }
}
