package io.leasehold.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * On a test class with an application context, such as one with {@code @SpringBootTest}: the application's lease is in memory
 * and in the hands of the test, which takes a {@link TestLease} as a parameter, or {@link TestLeases} where there are
 * several.
 *
 * <p>Every test begins as a standby. The ttl is three seconds, unless the test class says otherwise by a property source of
 * its own.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(TestLeaseExtension.class)
@Import(TestLeaseConfiguration.class)
@TestPropertySource(
        properties = {
            "lease.enabled=true",
            "lease.ttl=3s",
            "lease.renew-interval=100ms",
            "lease.verify-delay=50ms",
            "lease.drain-timeout=1500ms"
        })
public @interface LeaseTest {}
