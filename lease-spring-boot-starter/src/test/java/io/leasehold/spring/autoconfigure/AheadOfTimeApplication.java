package io.leasehold.spring.autoconfigure;

import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.spring.LeaderOnly;
import io.leasehold.state.LeaderState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Has two leases and a method that follows one of them; says when it has seen that they work. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(LeaseAutoConfiguration.class)
class AheadOfTimeApplication {
    static final String DONE = "Both leases were held, and the method ran with one of them only";
    private static final Duration LONG = Duration.ofMinutes(1);

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplicationBuilder(AheadOfTimeApplication.class)
                .web(WebApplicationType.NONE)
                .properties("lease.leases.orders.start-attempts=1", "lease.leases.invoices.start-attempts=1")
                .build();
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            LeaderLease orders = context.getBean("ordersLease", LeaderLease.class);
            LeaderLease invoices = context.getBean("invoicesLease", LeaderLease.class);
            Work work = context.getBean(Work.class);
            await().atMost(LONG).until(() -> orders.isHeld() && invoices.isHeld());
            work.run();
            orders.stepDown();
            await().atMost(LONG).until(() -> !orders.isHeld());
            work.run();
            if (invoices.isHeld() && work.calls() == 1) {
                System.out.println(DONE);
            }
        }
    }

    @Bean
    Work work(@Qualifier("orders") LeaderState state) {
        return new Work(state);
    }

    static class Work {
        private final LeaderState state;
        private final AtomicInteger calls = new AtomicInteger();

        Work(LeaderState state) {
            this.state = state;
        }

        @LeaderOnly("orders")
        public void run() {
            state.commit("calls", String.valueOf(calls.incrementAndGet()));
        }

        public int calls() {
            return calls.get();
        }
    }
}
