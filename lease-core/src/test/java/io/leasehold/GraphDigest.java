package io.leasehold;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All that objects hold, directly or through others, as a text: two states with one text behave alike from then on. What
 * only people read (messages, counts) is left out, and so is what the caller knows to be the same.
 */
final class GraphDigest {
    private static final Set<String> READ_BY_PEOPLE_ONLY = Set.of(
            "LeaseElection.warned",
            "LeaseElection.lastSeen",
            "Holding.warned",
            "Holding.attempted",
            "Holding.attemptFailure",
            "StateOpening.observation",
            "LeaseMemory.lastFailure",
            "FileLeaseStore.reported");
    private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();

    private final Predicate<Object> isLeftOut;
    private final UnaryOperator<String> names;
    private final StringBuilder text = new StringBuilder();
    private final IdentityHashMap<Object, Integer> met = new IdentityHashMap<>();

    /**
     * @param isLeftOut tells objects whose contents do not count
     * @param names makes texts alike that differ in random parts only
     */
    GraphDigest(Predicate<Object> isLeftOut, UnaryOperator<String> names) {
        this.isLeftOut = isLeftOut;
        this.names = names;
    }

    GraphDigest add(@Nullable Object object) {
        if (object == null) {
            text.append('~');
        } else if (object instanceof String || object instanceof Path) {
            text.append(names.apply(object.toString()));
        } else if (isPlain(object)) {
            text.append(object);
        } else if (met.putIfAbsent(object, met.size()) != null) {
            text.append('#').append(met.get(object));
        } else if (!isLeftOut.test(object)) {
            addContents(object);
        }
        text.append(';');
        return this;
    }

    private static boolean isPlain(Object object) {
        return object instanceof Number
                || object instanceof Boolean
                || object instanceof Enum
                || object instanceof Duration
                || object instanceof Instant
                || object instanceof Temporal
                || object instanceof OptionalLong;
    }

    private void addContents(Object object) {
        if (object instanceof Map<?, ?> map) {
            map.forEach((key, value) -> add(key).add(value));
        } else if (object instanceof Collection<?> elements) {
            elements.forEach(this::add);
        } else if (object instanceof AtomicReference<?> reference) {
            add(reference.get());
        } else if (object instanceof CompletableFuture<?> future) {
            text.append(future.isDone() ? "done" : "to come");
        } else if (object instanceof Throwable) {
            text.append(object.getClass().getName());
        } else if (object.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(object); i++) {
                add(Array.get(object, i));
            }
        } else if (object.getClass().getName().startsWith("java.")) {
            throw new IllegalStateException("It is not known what counts of " + object.getClass());
        } else {
            addFields(object);
        }
    }

    private void addFields(Object object) {
        text.append(object.getClass().getSimpleName()).append('{');
        for (Field field : FIELDS.computeIfAbsent(object.getClass(), GraphDigest::fieldsOf)) {
            try {
                add(field.get(object));
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        text.append('}');
    }

    private static List<Field> fieldsOf(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> declaring = type;
                declaring != null && declaring != Object.class;
                declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                boolean counts = !Modifier.isStatic(field.getModifiers())
                        && !READ_BY_PEOPLE_ONLY.contains(declaring.getSimpleName() + "." + field.getName());
                if (counts) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
