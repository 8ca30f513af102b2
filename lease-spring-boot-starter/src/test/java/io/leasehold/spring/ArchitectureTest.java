package io.leasehold.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

@AnalyzeClasses(packages = "io.leasehold.spring", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule onlyAutoConfigurationKnowsAutoConfiguration = noClasses()
            .that()
            .resideOutsideOfPackage("..autoconfigure..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..autoconfigure..")
            .because("every part can be used without Spring Boot's auto-configuration");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.leasehold.spring.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheMetersAndTheTimersKnowMeters = noClasses()
            .that()
            .resideOutsideOfPackages("..spring.metrics", "..autoconfigure.metrics")
            .and()
            .haveNameNotMatching(".*\\.observation\\.LeaseTimer.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer.core..")
            .because("an application may exclude it");

    @ArchTest
    static final ArchRule onlyTheObservationsKnowObservations = noClasses()
            .that()
            .resideOutsideOfPackages("..spring.observation", "..autoconfigure.observation")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer.observation..", "io.micrometer.common..")
            .because("an application may exclude it");

    @ArchTest
    static final ArchRule onlyTheInfoAndTheHealthGroupsKnowTheActuator = noClasses()
            .that()
            .resideOutsideOfPackages("..spring.info", "..autoconfigure.info")
            .and()
            .haveNameNotMatching(".*\\.health\\.LeaderHealth.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework.boot.actuate..")
            .because("an application may not have it");

    @ArchTest
    static final ArchRule onlyTheHealthKnowsTheHealthModule = noClasses()
            .that()
            .resideOutsideOfPackages("..spring.health", "..autoconfigure.health")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework.boot.health..")
            .because("an application may not have it");

    @ArchTest
    static final ArchRule onlyTheJmsContainerKnowsJms =
            onlyKnow("JmsContainer", "jakarta.jms..", "org.springframework.jms..");

    @ArchTest
    static final ArchRule onlyTheRabbitContainerKnowsRabbit =
            onlyKnow("RabbitContainer|GuardedRabbitListener", "com.rabbitmq..", "org.springframework.amqp..");

    @ArchTest
    static final ArchRule onlyTheKafkaContainerKnowsKafka =
            onlyKnow("KafkaContainer|GuardedKafkaListener", "org.apache.kafka..", "org.springframework.kafka..");

    private static ArchRule onlyKnow(String classes, String... packages) {
        return noClasses()
                .that()
                .haveNameNotMatching("io\\.leasehold\\.spring\\.(" + classes + ")(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .because("an application may not have it");
    }

    @ArchTest
    static final ArchRule onlyTheTestKitKnowsTestTools = noClasses()
            .that()
            .resideOutsideOfPackage("..spring.test")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.junit..", "org.springframework.test..", "io.leasehold.spring.test..")
            .because("an application does not have them when it runs");

    @ArchTest
    static final ArchRule onlyItsContainersKnowRedis = onlyKnow(
            "Redis.*|GuardedRedis.*|GuardedStream.*|autoconfigure.LeaseRedis.*", "org.springframework.data.redis..");

    @ArchTest
    static final ArchRule onlyItsStoresKnowLettuce =
            onlyKnow("autoconfigure.(LeaseRedis.*|RedisStores)", "io.lettuce..", "io.leasehold.redis..");

    @ArchTest
    static final ArchRule onlyTheEndpointsKnowSpringIntegration =
            onlyKnow("IntegrationEndpoints|IntegrationChannel", "org.springframework.integration..");

    @ArchTest
    static final ArchRule onlyThePulsarContainerKnowsPulsar =
            onlyKnow("PulsarContainer", "org.springframework.pulsar..", "org.apache.pulsar..");

    @ArchTest
    static final ArchRule onlyTheSqsContainerKnowsSqs = onlyKnow("SqsContainer", "io.awspring..", "software.amazon..");

    @ArchTest
    static final ArchRule autoConfigurationsAreFinal = classes()
            .that()
            .areAnnotatedWith(AutoConfiguration.class)
            .should()
            .bePublic()
            .andShould()
            .haveModifier(JavaModifier.FINAL)
            .because("an application changes them by its own beans");

    @ArchTest
    static final ArchRule everyBeanGivesWay = methods()
            .that()
            .areAnnotatedWith(Bean.class)
            .and()
            .areDeclaredInClassesThat()
            .resideInAPackage("..autoconfigure..")
            .should()
            .beAnnotatedWith(ConditionalOnMissingBean.class)
            .andShould()
            .bePackagePrivate();
}
