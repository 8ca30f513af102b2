package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;

class LeaseMetadataTest {

    @Test
    @SuppressWarnings("unchecked")
    void everyPropertyHasADescription() throws IOException {
        String json = new ClassPathResource("META-INF/spring-configuration-metadata.json")
                .getContentAsString(StandardCharsets.UTF_8);
        List<Map<String, Object>> properties = (List<Map<String, Object>>)
                JsonParserFactory.getJsonParser().parseMap(json).get("properties");

        assertThat(properties)
                .extracting(property -> property.get("name"))
                .containsExactlyInAnyOrder(
                        "lease.enabled",
                        "lease.name",
                        "lease.holder-id",
                        "lease.store",
                        "lease.file.path",
                        "lease.file.create",
                        "lease.file.group-access",
                        "lease.state.path",
                        "lease.ttl",
                        "lease.renew-interval",
                        "lease.drain-timeout",
                        "lease.verify-delay",
                        "lease.max-clock-skew",
                        "lease.listeners",
                        "lease.start-attempts",
                        "lease.leases",
                        "lease.leader-only.enabled",
                        "management.health.lease.enabled",
                        "management.health.leader.enabled",
                        "management.info.lease.enabled");
        assertThat(properties)
                .allSatisfy(property -> assertThat(property)
                        .extractingByKey("description")
                        .asString()
                        .endsWith("."));
        assertThat(properties)
                .filteredOn(
                        property -> String.valueOf(property.get("name")).matches(".*(ttl|interval|timeout|delay|skew)"))
                .hasSize(5)
                .allSatisfy(property -> assertThat(property).containsEntry("type", "java.time.Duration"));
    }
}
