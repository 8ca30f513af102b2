package io.leasehold.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the one conditional write of a state on a server promises. Each back end runs it. */
public abstract class ConditionalStateContract {
    private static final StateRecord THERE = state("a", 7, 3);
    private static final StateRecord NEXT = state("b", 8, 4);

    private static StateRecord state(String holder, long epoch, long sequence) {
        return new StateRecord("lease", holder, epoch, sequence, Map.of("by", holder));
    }

    /** Another process's handle on the one state of a test, which no epoch has opened before. */
    protected abstract ConditionalStateStore newHandle() throws Exception;

    /** Each differs from what is there in one part. */
    static Stream<StateRecord> others() {
        return Stream.of(state("c", 7, 3), state("a", 6, 3), state("a", 7, 2));
    }

    @ParameterizedTest
    @MethodSource("others")
    void aWriteIsRefusedWhereAnyPartIsNotAsExpected(StateRecord other) throws Exception {
        ConditionalStateStore store = newHandle();
        assertThat(store.write(null, other)).isTrue();
        assertThat(newHandle().write(other, THERE)).isTrue();
        requireRefused(store, other);
    }

    @Test
    void aWriteThatExpectsNothingIsRefusedWhereSomethingIs() throws Exception {
        ConditionalStateStore store = newHandle();
        assertThat(store.read()).isNull();
        assertThat(newHandle().write(null, THERE)).isTrue();
        requireRefused(store, null);
    }

    @Test
    void aWriteThatExpectsSomethingIsRefusedWhereNothingIs() throws Exception {
        assertThat(newHandle().write(THERE, NEXT)).isFalse();
        assertThat(newHandle().read()).isNull();
    }

    /** By a process whose last look showed what it expects, by one that has looked since, and by one that never did. */
    private void requireRefused(ConditionalStateStore store, @Nullable StateRecord expected) throws Exception {
        assertThat(store.write(expected, NEXT)).isFalse();
        assertThat(store.read()).isEqualTo(THERE);
        assertThat(store.write(expected, NEXT)).isFalse();
        assertThat(newHandle().write(expected, NEXT)).isFalse();
        assertThat(store.read()).isEqualTo(THERE);
    }

    @Test
    void aWriteReplacesWhatAnotherProcessSaw() throws Exception {
        assertThat(newHandle().write(null, THERE)).isTrue();
        assertThat(newHandle().write(THERE, NEXT)).isTrue();
        assertThat(newHandle().read()).isEqualTo(NEXT);
    }
}
