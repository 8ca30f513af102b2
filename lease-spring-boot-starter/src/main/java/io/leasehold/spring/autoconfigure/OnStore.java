package io.leasehold.spring.autoconfigure;

import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether {@code lease.store} or {@code lease.state.store} names a kind of store. */
final class OnStore extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String store = metadata.getAnnotations().get(ConditionalOnStore.class).getString("value");
        Environment environment = context.getEnvironment();
        boolean named = Objects.equals(environment.getProperty("lease.store"), store)
                || Objects.equals(environment.getProperty("lease.state.store"), store);
        return new ConditionOutcome(
                named,
                ConditionMessage.forCondition(ConditionalOnStore.class)
                        .because("lease.store or lease.state.store " + (named ? "is " : "is not ") + store));
    }
}
