package io.leasehold.sample.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.NotHolderException;
import io.leasehold.sample.history.History;
import io.leasehold.sample.process.SharedNames;
import io.leasehold.state.LeaderState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventSubscriberTest {
    private final List<Long> worked = new ArrayList<>();
    private final List<Long> asked = new ArrayList<>();
    private final EventSubscriber subscriber = new EventSubscriber(this::term);

    @Test
    void nothingIsWorkedOnOutsideATerm() {
        subscriber.receive(1);
        subscriber.askWhenSilent();
        subscriber.begin(new FakeState(4));
        subscriber.end();
        subscriber.receive(1);

        assertThat(worked).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void theNextTermResumesAtItsOwnCheckpoint() {
        subscriber.begin(new FakeState(4));
        subscriber.receive(1);
        subscriber.end();
        FakeState next = new FakeState(6);
        next.commit(SharedNames.CHECKPOINT, "9");

        subscriber.begin(next);
        subscriber.receive(2);
        subscriber.receive(11);
        subscriber.receive(10);

        assertThat(asked).containsExactly(10L);
        assertThat(worked).containsExactly(1L, 10L);
    }

    @Test
    void aTermThatIsOverBeforeItsFirstEventIsLeftOut() {
        EventSubscriber late = new EventSubscriber(state -> {
            throw new NotHolderException("The term is over");
        });

        late.begin(new FakeState(4));
        late.receive(1);

        assertThat(worked).isEmpty();
    }

    private SubscriberTerm term(LeaderState state) {
        return new SubscriberTerm(state, worked::add, asked::add, History.none(), () -> 0, Duration.ofMillis(500));
    }
}
