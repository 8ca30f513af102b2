package io.leasehold.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConditionalStateStoreTest {
    private @Nullable StateRecord current;
    private int attempts;
    private Runnable beforeWrite = () -> {};

    private final ConditionalStateStore store = new ConditionalStateStore() {
        @Override
        protected @Nullable StateRecord read() {
            return current;
        }

        @Override
        protected boolean write(@Nullable StateRecord expected, StateRecord next) {
            beforeWrite.run();
            StateRecord now = current;
            boolean asExpected = now == null ? expected == null : expected != null && now.sameWrite(expected);
            if (asExpected) {
                current = next;
            }
            return asExpected;
        }

        @Override
        public String location() {
            return "a test";
        }
    };

    /** The holder of epoch 1 commits between each look of another and its write, so many times. */
    private void commitBetween(int times) {
        beforeWrite = () -> {
            if (attempts++ < times) {
                current = new StateRecord("lease", "old", 1, attempts, Map.of("orders", "" + attempts));
            }
        };
    }

    @Test
    void aHolderThatCommitsWithoutAPauseIsSealedAllTheSame() {
        commitBetween(50);
        assertThat(store.open(2, "new", "lease").entries()).isEqualTo(Map.of("orders", "50"));
    }

    @Test
    void whereEveryWriteIsRefusedItCannotBeTold() {
        commitBetween(Integer.MAX_VALUE);
        assertThatThrownBy(() -> store.open(2, "new", "lease"))
                .isExactlyInstanceOf(StateStoreException.class)
                .hasMessageContaining("again and again");
    }
}
