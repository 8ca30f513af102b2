package io.leasehold.spring.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Only where the lease or its state is kept in a store of this kind: nothing of another one is made, or waited for. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnStore.class)
@interface ConditionalOnStore {

    /** What the properties call the store. */
    String value();
}
