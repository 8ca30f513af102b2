package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.spring.LeaderOnly;
import io.leasehold.spring.Poller;
import io.leasehold.state.LeaderState;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.devtools.restart.classloader.RestartClassLoader;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** The ways in which an application can be run. */
class EnvironmentsTest {

    @TempDir
    Path directory;

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void resetTimeout() {
        Awaitility.reset();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void threadsMayBeVirtual(String virtual) {
        leadWorkAndRelease("spring.threads.virtual.enabled=" + virtual);
    }

    @Test
    void beansMayBeLazy() {
        leadWorkAndRelease("spring.main.lazy-initialization=true");
    }

    @Test
    void jacksonNeedsNoAutoConfiguration() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.jackson"))
                .withPropertyValues("lease.name=orders", "lease.file.path=" + directory.resolve("orders"))
                .run(context -> {
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                    context.getBean(LeaderState.class).commit("a", "1");
                });
    }

    @Test
    void twoContextsInOneProcessAreTwoReplicas() {
        try (ConfigurableApplicationContext first = application("orders").run()) {
            LeaderLease leader = first.getBean(LeaderLease.class);
            await().until(leader::isHeld);
            try (ConfigurableApplicationContext second = application("orders").run();
                    ConfigurableApplicationContext other =
                            application("invoices").run()) {
                LeaderLease standby = second.getBean(LeaderLease.class);
                await().until(other.getBean(LeaderLease.class)::isHeld);
                assertThat(leader.isHeld()).isTrue();
                assertThat(standby.isHeld()).isFalse();
                assertThat(second.getBean(Poller.class).isRunning()).isFalse();

                first.close();
                await().until(standby::isHeld);
            }
        }
    }

    @Test
    void developmentToolsMayRestartTheApplication() throws Exception {
        ClassLoader base = getClass().getClassLoader();
        URL classes = getClass().getProtectionDomain().getCodeSource().getLocation();
        long lastEpoch = 0;
        for (int run = 1; run <= 3; run++) {
            try (RestartClassLoader restarted = new RestartClassLoader(base, new URL[] {classes})) {
                Class<?> application = restarted.loadClass(Application.class.getName());
                assertThat(application.getClassLoader()).isSameAs(restarted);
                try (ConfigurableApplicationContext context = application(application, "orders")
                        .resourceLoader(new DefaultResourceLoader(restarted))
                        .run()) {
                    LeaderLease lease = context.getBean(LeaderLease.class);
                    await().until(lease::isHeld);
                    assertThat(lease.requireEpoch()).isGreaterThan(lastEpoch);
                    lastEpoch = lease.requireEpoch();
                }
            }
        }
    }

    private void leadWorkAndRelease(String property) {
        try (ConfigurableApplicationContext context =
                application("orders").properties(property).run()) {
            await().until(context.getBean(LeaderLease.class)::isHeld);
            await().until(context.getBean(Poller.class)::isRunning);
            Work work = context.getBean(Work.class);
            await().until(() -> work.calls() > 1);
        }
        assertThat(directory.resolve("orders/1.json")).content().contains("\"released\":true");
    }

    private SpringApplicationBuilder application(String name) {
        return application(Application.class, name);
    }

    private SpringApplicationBuilder application(Class<?> source, String name) {
        return new SpringApplicationBuilder(source)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "lease.name=" + name,
                        "lease.file.path=" + directory.resolve(name),
                        "lease.listeners=poller");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @ImportAutoConfiguration(LeaseAutoConfiguration.class)
    static class Application {

        @Bean
        Poller poller() {
            return new Poller();
        }

        @Bean
        Work work() {
            return new Work();
        }
    }

    static class Work {
        private final AtomicInteger calls = new AtomicInteger();

        @LeaderOnly
        @Scheduled(fixedDelay = 20)
        public void run() {
            calls.incrementAndGet();
        }

        public int calls() {
            return calls.get();
        }
    }
}
