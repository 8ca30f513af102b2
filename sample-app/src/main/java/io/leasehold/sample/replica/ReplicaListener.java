package io.leasehold.sample.replica;

import io.leasehold.LeaderLease;
import io.leasehold.sample.history.History;
import io.leasehold.sample.history.HistoryEvent;
import io.leasehold.sample.process.ConsoleLine;
import io.leasehold.sample.process.SharedNames;
import io.leasehold.spring.LeadershipAcquired;
import io.leasehold.spring.LeadershipLost;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** What happens to a replica: it leads or no longer does, is given events, and is told to step down. */
@Component
@Profile("replica")
class ReplicaListener {
    private final EventSubscriber subscriber;
    private final LeaderLease lease;
    private final History history;

    ReplicaListener(EventSubscriber subscriber, LeaderLease lease, History history) {
        this.subscriber = subscriber;
        this.lease = lease;
        this.history = history;
    }

    /** The state of this very term is used, so that its commits are refused once another term has begun. */
    @EventListener
    void lead(LeadershipAcquired acquired) {
        history.note(HistoryEvent.ACQUIRED, acquired.epoch());
        lease.current()
                .filter(term -> term.epoch() == acquired.epoch())
                .ifPresent(term -> subscriber.begin(term.state()));
    }

    @EventListener
    void cease(LeadershipLost lost) {
        subscriber.end();
        history.note(HistoryEvent.SURRENDERED, lost.epoch(), 0, lost.reason().name());
    }

    @JmsListener(destination = SharedNames.EVENTS)
    void receive(@Header(SharedNames.NUMBER) long number) {
        subscriber.receive(number);
    }

    @Scheduled(fixedDelay = 100)
    void askWhenSilent() {
        subscriber.askWhenSilent();
    }

    @EventListener
    void obey(ConsoleLine line) {
        if (line.text().equals(ConsoleLine.STEP_DOWN)) {
            lease.stepDown();
        }
    }
}
