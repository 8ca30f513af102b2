package io.leasehold.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every state store promises to one holder after another. Each back end runs it. */
public abstract class StateStoreContract {
    protected static final String LEASE = "lease-1";

    private StateStore a;
    private StateStore b;

    /** Another process's handle on the one state of a test, which no epoch has opened before. */
    protected abstract StateStore newHandle() throws Exception;

    /** How long a key or a value may be at least; shorter where a store is small. */
    protected int longestText() {
        return 1_000_000;
    }

    private String cut(String text) {
        return text.substring(0, Math.min(text.length(), longestText()));
    }

    @BeforeEach
    void openTwoHandles() throws Exception {
        a = newHandle();
        b = newHandle();
    }

    @Test
    void aStateThatNobodyOpenedIsEmptyAndRemembersNothing() {
        assertThat(a.head()).isEqualTo(new StateHead(0, null));
        assertThat(a.snapshot()).isEmpty();
    }

    @Test
    void theFirstOpenFindsNoEntries() {
        assertThat(a.open(1, "a", LEASE).entries()).isEmpty();
    }

    @Test
    void anOpenedEpochAndItsLeaseAreRemembered() {
        a.open(7, "a", LEASE);
        assertThat(b.head()).isEqualTo(new StateHead(7, LEASE));
        assertThat(a.head()).isEqualTo(new StateHead(7, LEASE));
    }

    @Test
    void lookingChangesNothing() {
        a.head();
        a.snapshot();
        assertThat(b.head()).isEqualTo(new StateHead(0, null));
        a.open(1, "a", LEASE);
    }

    @Test
    void aCommitIsReadByAnyoneAndByTheNextEpoch() {
        a.open(1, "a", LEASE).write(Map.of("orders", "17", "bills", "4"));
        assertThat(b.snapshot()).isEqualTo(Map.of("orders", "17", "bills", "4"));
        assertThat(b.open(2, "b", LEASE).entries()).isEqualTo(Map.of("orders", "17", "bills", "4"));
    }

    @Test
    void aCommitReplacesTheWholeState() {
        StateSession session = a.open(1, "a", LEASE);
        session.write(Map.of("orders", "17", "bills", "4"));
        session.write(Map.of("bills", "5"));
        assertThat(b.snapshot()).isEqualTo(Map.of("bills", "5"));
        assertThat(b.open(2, "b", LEASE).entries()).isEqualTo(Map.of("bills", "5"));
    }

    @Test
    void anEmptiedStateStaysEmpty() {
        a.open(1, "a", LEASE).write(Map.of("orders", "17"));
        b.open(2, "b", LEASE).write(Map.of());
        assertThat(a.snapshot()).isEmpty();
        assertThat(a.open(3, "a", LEASE).entries()).isEmpty();
    }

    @Test
    void theStatePassesThroughEpochsThatCommitNothing() {
        a.open(1, "a", LEASE).write(Map.of("orders", "17"));
        for (long epoch = 2; epoch < 9; epoch++) {
            b.open(epoch, "b" + epoch, LEASE);
        }
        assertThat(a.open(9, "a", LEASE).entries()).isEqualTo(Map.of("orders", "17"));
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 9007199254740993L, Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void epochsMayBeSkippedAndAreExact(long epoch) {
        a.open(4, "a", LEASE).write(Map.of("orders", "17"));
        StateSession session = b.open(epoch, "b", LEASE);
        assertThat(session.entries()).isEqualTo(Map.of("orders", "17"));
        session.write(Map.of("orders", "18"));
        assertThat(a.head().epoch()).isEqualTo(epoch);
        assertThat(a.snapshot()).isEqualTo(Map.of("orders", "18"));
    }

    @Test
    void openingAnEpochFencesCommitsOfLowerOnes() {
        StateSession old = a.open(5, "a", LEASE);
        old.write(Map.of("orders", "17"));
        b.open(6, "b", LEASE);
        StateFenceException fence =
                catchThrowableOfType(StateFenceException.class, () -> old.write(Map.of("orders", "18")));
        assertThat(fence.ownEpoch()).isEqualTo(5);
        assertThat(fence.foundEpoch()).isEqualTo(6);
        assertThat(fence).hasMessageContaining("epoch 5").hasMessageContaining("epoch 6");
    }

    @Test
    void aFencedCommitChangesNothingOfTheSuccessor() {
        StateSession old = a.open(5, "a", LEASE);
        old.write(Map.of("a", "1", "b", "1"));
        StateSession successor = b.open(6, "b", LEASE);
        successor.write(Map.of("a", "9", "b", "9"));
        assertThatThrownBy(() -> old.write(Map.of("a", "2", "b", "1"))).isInstanceOf(StateFenceException.class);
        assertThat(b.snapshot()).isEqualTo(Map.of("a", "9", "b", "9"));
        StateSession third = a.open(7, "a", LEASE);
        third.write(Map.of("a", "10", "b", third.entries().getOrDefault("b", "none")));
        assertThat(b.snapshot()).isEqualTo(Map.of("a", "10", "b", "9"));
    }

    @Test
    void aCommitStaysFencedHoweverOftenItIsTried() {
        StateSession old = a.open(5, "a", LEASE);
        StateSession successor = b.open(6, "b", LEASE);
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(() -> old.write(Map.of("a", "2"))).isInstanceOf(StateFenceException.class);
            successor.write(Map.of("a", "9"));
        }
        assertThat(a.snapshot()).isEqualTo(Map.of("a", "9"));
    }

    @Test
    void aLowerEpochCannotBeOpened() {
        b.open(6, "b", LEASE).write(Map.of("a", "9"));
        StateFenceException fence = catchThrowableOfType(StateFenceException.class, () -> a.open(5, "a", LEASE));
        assertThat(fence.ownEpoch()).isEqualTo(5);
        assertThat(fence.foundEpoch()).isEqualTo(6);
        assertThat(a.head().epoch()).isEqualTo(6);
        assertThat(a.snapshot()).isEqualTo(Map.of("a", "9"));
    }

    @Test
    void anEpochIsOpenedByOneHolderOnly() {
        StateSession first = a.open(5, "a", LEASE);
        assertThatThrownBy(() -> b.open(5, "b", LEASE)).isInstanceOf(StateFenceException.class);
        first.write(Map.of("a", "1"));
        assertThatThrownBy(() -> b.open(5, "b", LEASE)).isInstanceOf(StateFenceException.class);
        first.write(Map.of("a", "2"));
        assertThat(b.snapshot()).isEqualTo(Map.of("a", "2"));
    }

    @Test
    void aRepeatedOpenByTheSameHolderFindsTheSameState() {
        a.open(1, "a", LEASE).write(Map.of("orders", "17"));
        for (long epoch = 2; epoch < 6; epoch++) {
            a.open(epoch, "a", LEASE);
            assertThat(a.open(epoch, "a", LEASE).entries()).isEqualTo(Map.of("orders", "17"));
        }
        assertThat(b.snapshot()).isEqualTo(Map.of("orders", "17"));
    }

    @Test
    void aCommitOfOneSessionFollowsThatOfAnotherOfTheSameTerm() {
        StateSession first = a.open(5, "a", LEASE);
        StateSession again = b.open(5, "a", LEASE);
        again.write(Map.of("orders", "17"));
        first.write(Map.of("orders", "18"));
        again.write(Map.of("orders", "19"));
        assertThat(b.snapshot()).isEqualTo(Map.of("orders", "19"));
    }

    @Test
    void aStateOfAnotherLeaseIsRefusedAndLeftAlone() {
        a.open(1, "a", LEASE).write(Map.of("orders", "17"));
        assertThatThrownBy(() -> b.open(2, "b", "lease-2"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(LEASE)
                .hasMessageContaining("lease-2");
        assertThat(a.head()).isEqualTo(new StateHead(1, LEASE));
        assertThat(a.snapshot()).isEqualTo(Map.of("orders", "17"));
    }

    static Stream<String> texts() {
        return Stream.of(
                "",
                " ",
                "../x",
                "/etc/passwd",
                "..\\x",
                "a/b/c",
                "7.json",
                "marker.json",
                "nul\0nul",
                "\u0001\u001f\u007f",
                "\"quoted\" \\ 'single'",
                "line\nline\r\n\ttab",
                "\u2028\u2029",
                "Zoë 日本 \uD83D\uDE80",
                "e\u0301 is not \u00e9",
                "\uFEFFbom",
                "{\"json\":[1,2]}",
                "__proto__",
                "null",
                "a".repeat(1_000_000));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void keysAndValuesMayBeAnyText(String whole) throws Exception {
        String text = cut(whole);
        Map<String, String> entries = Map.of(text, "value", "key " + text, text);
        a.open(1, "a", LEASE).write(entries);
        assertThat(b.snapshot()).isEqualTo(entries);
        assertThat(newHandle().open(2, "b", LEASE).entries()).isEqualTo(entries);
    }

    @Test
    void allTextsAreDifferentKeys() {
        Map<String, String> entries = new HashMap<>();
        texts().map(this::cut).forEach(text -> entries.put(text, "value of " + text.length()));
        a.open(1, "a", LEASE).write(entries);
        assertThat(b.open(2, "b", LEASE).entries()).isEqualTo(entries).hasSize((int) texts().count());
    }

    @Test
    void manyEntriesAreOneState() {
        Map<String, String> entries = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            entries.put("queue-" + i, String.valueOf(i));
        }
        a.open(1, "a", LEASE).write(entries);
        assertThat(b.open(2, "b", LEASE).entries()).isEqualTo(entries);
    }

    @Test
    void entriesCannotBeChangedFromOutside() {
        Map<String, String> entries = new HashMap<>(Map.of("orders", "17"));
        StateSession session = a.open(1, "a", LEASE);
        session.write(entries);
        entries.put("orders", "99");
        assertThat(a.snapshot()).isEqualTo(Map.of("orders", "17"));
        assertThatThrownBy(() -> a.snapshot().put("orders", "99")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> b.open(2, "b", LEASE).entries().put("orders", "99"))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void messagesNeverHoldKeysOrValues() {
        StateSession old = a.open(5, "a", LEASE);
        old.write(Map.of("secret-key", "secret-value"));
        b.open(6, "b", LEASE);
        assertThatThrownBy(() -> old.write(Map.of("secret-key", "secret-value")))
                .hasMessageNotContaining("secret");
    }

    @Test
    void everyHandleNamesTheSamePlace() {
        assertThat(a.location()).isNotBlank().isEqualTo(b.location());
    }
}
