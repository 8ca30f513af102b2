package io.leasehold.spring.autoconfigure.health;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of the only lease, or that of each of several. */
final class HealthOfLeases {

    private HealthOfLeases() {}

    static <T> HealthContributor of(List<T> leases, Function<T, String> name, Function<T, HealthIndicator> health) {
        return leases.size() == 1
                ? health.apply(leases.get(0))
                : CompositeHealthContributor.fromMap(leases.stream().collect(Collectors.toMap(name, health)));
    }
}
