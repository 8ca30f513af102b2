package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spring.Readme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;

class LeaseMetadataTest {
    private final List<Map<String, Object>> properties = properties();

    @Test
    void theReadmeListsEveryPropertyAndNoOther() throws IOException {
        assertThat(Readme.table("## Properties").keySet())
                .containsExactlyInAnyOrderElementsOf(properties.stream()
                        .map(LeaseMetadataTest::name)
                        .filter(name -> name.startsWith("lease."))
                        .toList());
        assertThat(properties)
                .filteredOn(property -> name(property).startsWith("management."))
                .hasSize(3)
                .allSatisfy(property -> assertThat(Readme.text()).contains(name(property)));
    }

    @Test
    void theReadmeHasTheDefaults() throws IOException {
        Map<String, List<String>> table = Readme.table("## Properties");
        Map<String, Object> defaults = properties.stream()
                .filter(property -> name(property).startsWith("lease.") && property.get("defaultValue") != null)
                .collect(Collectors.toMap(LeaseMetadataTest::name, property -> property.get("defaultValue")));
        assertThat(defaults).hasSizeGreaterThan(5);
        defaults.forEach((name, value) ->
                assertThat(table.get(name)).as(name).first().asString().isEqualTo("`" + value + "`"));
    }

    @Test
    void everyPropertyHasADescription() {
        assertThat(properties)
                .hasSizeGreaterThan(18)
                .allSatisfy(property -> assertThat(property)
                        .extractingByKey("description")
                        .asString()
                        .endsWith("."));
    }

    @Test
    void everyDurationIsOne() {
        assertThat(properties)
                .filteredOn(property -> name(property).matches(".*(ttl|interval|timeout|delay|skew)"))
                .hasSize(5)
                .allSatisfy(property -> assertThat(property).containsEntry("type", "java.time.Duration"));
    }

    private static String name(Map<String, Object> property) {
        return String.valueOf(property.get("name"));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> properties() {
        try {
            String json = new ClassPathResource("META-INF/spring-configuration-metadata.json")
                    .getContentAsString(StandardCharsets.UTF_8);
            return Objects.requireNonNull((List<Map<String, Object>>)
                    JsonParserFactory.getJsonParser().parseMap(json).get("properties"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
