package io.leasehold.spring.autoconfigure;

import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where {@code lease.leases} names any lease. */
final class OnNamedLeases extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Set<String> names = NamedLeasesRegistrar.names(context.getEnvironment());
        ConditionMessage.Builder message = ConditionMessage.forCondition("lease.leases");
        return names.isEmpty()
                ? ConditionOutcome.noMatch(message.because("names no lease"))
                : ConditionOutcome.match(message.found("lease", "leases").items(names));
    }
}
