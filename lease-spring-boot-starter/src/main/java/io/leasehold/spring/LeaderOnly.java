package io.leasehold.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that runs only while this process leads: with {@code @Scheduled} or called by other beans. Elsewhere,
 * and once a surrender has begun, a call does nothing; it is counted.
 *
 * <p>Guaranteed: the lease is not released before calls that have begun return. Not guaranteed: that a call ends before the
 * term does. One that takes long should look at {@link io.leasehold.Lease#isSurrendering()}, and commit through {@link
 * io.leasehold.state.LeaderState} or hand on the epoch.
 *
 * <p>The method returns nothing, or an {@link java.util.Optional}, which is empty for a call that is left out. Like every
 * advice of Spring it takes effect on calls from outside the bean only; a method that cannot be advised (private, static,
 * final, or of a final class) is refused at the start.
 *
 * <p>Tests that are not about leadership set {@code lease.leader-only.enabled=false}: the methods then run always.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderOnly {

    /**
     * The lease that has to be held.
     *
     * @return a lease's name; may be left out where there is only one lease
     */
    String value() default "";
}
