package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystemProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "lease.ttl, 0",
        "lease.ttl, -1s",
        "lease.ttl, 30",
        "lease.ttl, 30000",
        "lease.ttl, 500us",
        "lease.ttl, P1000000000D",
        "lease.ttl, PT0.0000009S",
        "lease.renew-interval, 0",
        "lease.renew-interval, 30s",
        "lease.renew-interval, 16s",
        "lease.drain-timeout, -1s",
        "lease.drain-timeout, 10",
        "lease.verify-delay, 0s",
        "lease.verify-delay, 6s",
        "lease.max-clock-skew, -1s",
    })
    void aDurationThatBreaksARuleIsNamedAsItWasWritten(String property, String value, CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory.resolve("lease"), property + "=" + value);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The property " + property + ", set to '" + value + "', breaks a rule: ")
                .containsPattern("Action:\\s+\\w+");
    }

    @Test
    void fractionsOfASecondAreADuration(CapturedOutput output) {
        start("lease.name=orders", "lease.file.path=" + directory.resolve("lease"), "lease.ttl=PT0.9S");

        assertThat(output).doesNotContain("FAILED");
    }

    @Test
    void aDurationThatIsNoneIsNamed(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory, "lease.ttl=soon");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("lease.ttl")
                .contains("soon");
    }

    @Test
    void aMissingNameIsExplained(CapturedOutput output) {
        refuse("lease.file.path=" + directory);

        assertThat(output)
                .contains("neither lease.name nor spring.application.name is set")
                .contains("Set spring.application.name");
    }

    @Test
    void aBlankNameIsExplained(CapturedOutput output) {
        refuse("lease.name= ", "lease.file.path=" + directory);

        assertThat(output).contains("lease.name").contains("not only blanks");
    }

    @Test
    void aNameThatBreaksARuleIsSaidToComeFromWhereItDoes(CapturedOutput output) {
        String path = "lease.file.path=" + directory;
        refuse("spring.application.name=" + "x".repeat(201), path);
        assertThat(output).contains("The lease's name, from spring.application.name, breaks a rule");
        refuse("lease.name=" + "x".repeat(1_000_000), path);
        assertThat(output).contains("The lease's name, from lease.name, breaks a rule");
        refuse("lease.leases[" + "x".repeat(201) + "].ttl=30s", path);
        assertThat(output).contains("The lease's name, from lease.leases, breaks a rule");
        assertThat(output.getAll()).doesNotContain("x".repeat(300));
    }

    @Test
    void aPathThatIsTooLongIsExplained(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory.resolve("x".repeat(300)));

        assertThat(output)
                .contains("The directory set by lease.file.path cannot be used")
                .contains("is too long");
    }

    @Test
    void aPathOfAnyDepthIsExplained(CapturedOutput output) {
        String deep = directory + "/x".repeat(20_000);
        refuse("lease.name=orders", "lease.file.path=" + directory.resolve("lease"), "lease.state.path=" + deep);

        assertThat(output).contains("The directory set by lease.state.path cannot be used");
    }

    @Test
    void controlCharactersInAPropertyDoNotGetIntoTheExplanation(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory, "lease.store=a\u001b[31mb");
        refuse("lease.name=orders", "lease.file.path=" + directory, "lease.listeners=a\u001b[31mb");

        assertThat(output).contains("lease.store is 'a?[31mb'").contains("the listener 'a?[31mb'");
    }

    @Test
    void aMissingPathIsExplained(CapturedOutput output) {
        refuse("lease.name=orders");

        assertThat(output).contains("lease.file.path is not set").contains("Set lease.file.path to a directory");
    }

    @Test
    void anUnknownStoreIsExplained(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory, "lease.store=carrier-pigeon");

        assertThat(output)
                .contains("lease.store is 'carrier-pigeon'")
                .contains("Set it to one of file, jdbc, kubernetes and redis");
    }

    @Test
    void anUnknownStoreOfTheStateIsExplained(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory, "lease.state.store=carrier-pigeon");

        assertThat(output).contains("lease.state.store is 'carrier-pigeon'").contains("define a StateStore bean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "redis"})
    void aStoreWithoutWhatItNeedsIsExplained(String store, CapturedOutput output) {
        refuse("lease.name=orders", "lease.store=" + store);

        assertThat(output)
                .contains("lease.store is '" + store + "', and what it needs is not there")
                .contains("Add it, or set lease.store to another store");
    }

    @Test
    void aBlankStoreIsExplained(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory, "lease.store=");

        assertThat(output).contains("lease.store is ''");
    }

    @Test
    void oneDirectoryForTheLeaseAndTheStateIsRefused(CapturedOutput output) throws IOException {
        Path lease = Files.createDirectory(directory.resolve("lease"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), lease);
        refuse("lease.name=orders", "lease.file.path=" + lease, "lease.state.path=" + link);

        assertThat(output).contains("lease.state.path and lease.file.path are one directory");
        refuse(
                "lease.name=orders",
                "lease.file.path=" + directory.resolve("new"),
                "lease.state.path=" + directory.resolve("x/../new"));
        assertThat(output).contains("are one directory, " + directory.resolve("new"));
    }

    @Test
    void aPathThatIsAFileIsExplained(CapturedOutput output) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        refuse("lease.name=orders", "lease.file.path=" + file);

        assertThat(output)
                .contains("The directory set by lease.file.path cannot be used: " + file)
                .containsPattern("Action:\\s+\\w+");
    }

    @Test
    void aPathWithoutItsParentIsExplained(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory.resolve("no/lease"));

        assertThat(output).contains("cannot be used").containsPattern("Action:\\s+\\w+");
    }

    @Test
    void theDirectoryOfAnotherLeaseIsExplained(CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                run("lease.name=orders", "lease.file.path=" + directory.resolve("lease"))) {
            await().until(context.getBean(LeaderLease.class)::isHeld);
        }
        refuse("lease.name=invoices", "lease.file.path=" + directory.resolve("lease"));

        assertThat(output).contains("cannot be used").contains("orders").contains("invoices");
    }

    @Test
    void anUnknownListenerIsExplained(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory.resolve("lease"), "lease.listeners=poler");

        assertThat(output).contains("is to have the listener 'poler'").contains("Correct the name");
    }

    @Test
    void aLifecycleBeanThatStartsByItselfIsExplained(CapturedOutput output) {
        refuse("lease.name=orders", "lease.file.path=" + directory.resolve("lease"), "lease.listeners=eager");

        assertThat(output)
                .contains("'eager' is to follow the lease, but starts by itself")
                .contains("isAutoStartup()");
    }

    private static void refuse(String... properties) {
        assertThatException().isThrownBy(() -> start(properties));
    }

    /** An application's name is kept for the log of the whole process. */
    @AfterEach
    void forgetTheName() {
        System.clearProperty(LoggingSystemProperty.APPLICATION_NAME.getEnvironmentVariableName());
    }

    private static void start(String... properties) {
        run(properties).close();
    }

    private static ConfigurableApplicationContext run(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off")
                .properties(properties)
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeaseAutoConfiguration.class)
    static class Application {

        @Bean
        SmartLifecycle eager() {
            return new SmartLifecycle() {
                @Override
                public void start() {}

                @Override
                public void stop() {}

                @Override
                public boolean isRunning() {
                    return false;
                }
            };
        }
    }
}
