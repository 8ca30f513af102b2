package io.leasehold.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What Jackson reads and writes by reflection is told to a native image. */
class ReflectionHintsTest {
    private static final String HINTS = "/META-INF/native-image/io.leasehold/lease-core/reflect-config.json";

    @Test
    void everyRecordThatIsWrittenIsListed() throws IOException {
        List<String> listed = new ArrayList<>();
        try (InputStream hints = Objects.requireNonNull(Json.class.getResourceAsStream(HINTS))) {
            JsonMapper.shared()
                    .readTree(hints)
                    .forEach(entry -> listed.add(entry.get("name").stringValue()));
        }
        assertThat(Arrays.stream(Json.class.getDeclaredClasses())
                        .filter(Class::isRecord)
                        .map(Class::getName))
                .containsExactlyInAnyOrderElementsOf(listed);
    }
}
