package io.leasehold;

import io.leasehold.file.SimulatedDisk;
import io.leasehold.file.SimulatedDisk.Flaw;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Processes from which one rule was taken out, at the seams of the shipped classes. */
enum SimulationMutants implements SimulationSeams {
    A_LINK_OVERWRITES {
        @Override
        public void prepare(SimulatedDisk disk) {
            disk.add(Flaw.LINKS_OVERWRITE);
        }
    },
    NOTHING_IS_SYNCED {
        @Override
        public void prepare(SimulatedDisk disk) {
            disk.add(Flaw.SYNCS_DO_NOTHING);
        }
    },
    UNREADABLE_IS_ABSENT {
        @Override
        public boolean unreadableIsAbsent() {
            return true;
        }
    },
    A_FAILED_RENEW_COUNTS {
        @Override
        public LeaseStore leaseStore(LeaseStore shipped) {
            return new Mutant(shipped) {
                @Override
                public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
                    try {
                        return super.replace(expected, next);
                    } catch (LeaseStoreException e) {
                        if (next.sequence() == 0) {
                            throw e;
                        }
                        return WriteOutcome.CONFIRMED;
                    }
                }
            };
        }
    },
    THE_PREDECESSOR_IS_NOT_READ_AGAIN {
        @Override
        public LeaseStore leaseStore(LeaseStore shipped) {
            return new Mutant(shipped) {
                @Override
                public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
                    WriteOutcome outcome = super.replace(expected, next);
                    if (next.sequence() > 0 || outcome != WriteOutcome.SUPERSEDED) {
                        return outcome;
                    }
                    LeaseRecord there = read().record();
                    return there != null && there.sameClaim(next) ? WriteOutcome.CONFIRMED : outcome;
                }
            };
        }
    },
    A_STANDBY_WAITS_HALF_A_TTL {
        @Override
        public LeaseStore leaseStore(LeaseStore shipped) {
            return new Mutant(shipped) {
                @Override
                public LeaseSnapshot read() throws LeaseStoreException {
                    LeaseSnapshot found = super.read();
                    LeaseRecord record = found.record();
                    if (record == null) {
                        return found;
                    }
                    Duration half = record.ttl().dividedBy(2);
                    LeaseRecord shorter = record.renewed(record.sequence(), half, record.expiresAt());
                    return new LeaseSnapshot(found.leaseId(), found.epoch(), found.contents(), shorter, half);
                }
            };
        }
    },
    THE_DEADLINE_NEVER_COMES {
        @Override
        public LeaseClock clock(LeaseClock shipped) {
            return new MutantClock(shipped) {
                @Override
                public long elapsedNsSince(Moment moment) {
                    return 0;
                }
            };
        }
    },
    THE_WALL_CLOCK_IS_NOT_ASKED {
        @Override
        public LeaseClock clock(LeaseClock shipped) {
            return new MutantClock(shipped) {
                @Override
                public long elapsedNsSince(Moment moment) {
                    return nanoTime() - moment.monotonicNs();
                }
            };
        }
    },
    CLOCKS_ARE_FURTHER_APART_THAN_ALLOWED {
        @Override
        public LeaseSettings settings(LeaseSettings drawn) {
            return new LeaseSettings(
                    drawn.name(),
                    drawn.holderPrefix(),
                    drawn.ttl(),
                    drawn.renewInterval(),
                    drawn.drainTimeout(),
                    drawn.verifyDelay(),
                    Duration.ZERO);
        }
    },
    THERE_IS_NO_FLOOR {
        @Override
        public @Nullable StateStore stateStore(StateStore shipped) {
            return null;
        }
    },
    A_COMMIT_DOES_NOT_LOOK_AFTER_ITS_WRITE {
        @Override
        public StateStore stateStore(StateStore shipped) {
            return new MutantStates(shipped, false) {
                @Override
                void write(StateSession session, Map<String, String> entries) {
                    try {
                        session.write(entries);
                    } catch (StateFenceException e) {
                        assert e.foundEpoch() > e.ownEpoch();
                    }
                }
            };
        }
    },
    THE_STATE_IS_READ_BEFORE_IT_IS_SEALED {
        @Override
        public StateStore stateStore(StateStore shipped) {
            return new MutantStates(shipped, true);
        }
    },
    A_LISTENER_RETURNS_BEFORE_ITS_WORK_HAS_STOPPED {
        @Override
        public LeaseListener listener(LeaseListener work) {
            return new LeaseListener() {
                @Override
                public void onAcquired(Lease lease) {
                    work.onAcquired(lease);
                }

                @Override
                public void onSurrendered(Lease lease, SurrenderReason reason) {}
            };
        }
    };

    private static class Mutant implements LeaseStore {
        private final LeaseStore shipped;

        Mutant(LeaseStore shipped) {
            this.shipped = shipped;
        }

        @Override
        public LeaseSnapshot read() throws LeaseStoreException {
            return shipped.read();
        }

        @Override
        public void initialize() throws LeaseStoreException {
            shipped.initialize();
        }

        @Override
        public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
            return shipped.replace(expected, next);
        }

        @Override
        public String location() {
            return shipped.location();
        }
    }

    private abstract static class MutantClock implements LeaseClock {
        private final LeaseClock shipped;

        MutantClock(LeaseClock shipped) {
            this.shipped = shipped;
        }

        @Override
        public long nanoTime() {
            return shipped.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            return shipped.currentTimeMillis();
        }
    }

    private static class MutantStates implements StateStore {
        private final StateStore shipped;
        private final boolean readsBeforeItSeals;

        MutantStates(StateStore shipped, boolean readsBeforeItSeals) {
            this.shipped = shipped;
            this.readsBeforeItSeals = readsBeforeItSeals;
        }

        void write(StateSession session, Map<String, String> entries) {
            session.write(entries);
        }

        @Override
        public StateHead head() {
            return shipped.head();
        }

        @Override
        public StateSession open(long epoch, String holder, String leaseId) {
            Map<String, String> before = new HashMap<>(shipped.snapshot());
            StateSession session = shipped.open(epoch, holder, leaseId);
            return new StateSession() {
                @Override
                public Map<String, String> entries() {
                    return readsBeforeItSeals ? before : session.entries();
                }

                @Override
                public void write(Map<String, String> entries) {
                    MutantStates.this.write(session, entries);
                }
            };
        }

        @Override
        public Map<String, String> snapshot() {
            return shipped.snapshot();
        }

        @Override
        public String location() {
            return shipped.location();
        }
    }
}
