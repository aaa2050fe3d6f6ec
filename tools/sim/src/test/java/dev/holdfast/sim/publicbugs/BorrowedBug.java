package dev.holdfast.sim.publicbugs;

import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.ExpiryRules;
import dev.holdfast.rules.FenceRules;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.rules.WriteStamp;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.bugs.CarelessStore;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.WriteOutcome;
import java.time.Duration;
import java.util.Objects;

/** Holdfast with the mistake of a public bug. The scenario of that bug must report it; otherwise the scenario proves nothing. */
enum BorrowedBug implements SimulatedVariant {
    /** A leader that hears nothing from the store leads on for a while, and hopes to reconnect. */
    LEADERSHIP_BEYOND_ITS_TERM {
        @Override
        public RuleSet rules(Duration step) {
            return RuleSet.of(new ExpiryRules(step), new FenceRules(), new ValidityRules() {
                @Override
                public ClockReading start(ClockReading firstSent, ClockReading lastSent, ClockReading answered) {
                    return new ClockReading(
                            answered.nanos() + HOPE.toNanos(), answered.wall().plus(HOPE));
                }
            });
        }
    },

    /** A candidate leads because it has read that it may, although its conditional write was refused. */
    LEADERSHIP_BY_READING {
        @Override
        public AsyncStore port(AsyncStore port) {
            return ChangedPort.of(port, (change, outcome) -> WriteOutcome.APPLIED);
        }
    },

    /** A loss is noted inside the client, and no callback runs. */
    SILENT_LOSS {
        @Override
        public SimEnvironment runtime(SimProcess process) {
            return new SimEnvironment(process) {
                @Override
                public void execute(Runnable callback) {}
            };
        }
    },

    /** A renewal is written whatever happened to the key in the meantime. */
    UNCONDITIONAL_RENEWAL {
        @Override
        public LeaseStore store(LeaseStore store) {
            return new CarelessStore(store);
        }
    },

    /** The client considers a key released, and the store never hears of it. */
    RELEASE_IS_NOT_STORED {
        @Override
        public AsyncStore port(AsyncStore port) {
            return ChangedPort.without(
                    port, change -> change.next() != null && change.next().state() == LeaseState.FREE);
        }
    },

    /** A client never considers the grant of another holder expired. */
    DEAD_HOLDER_NEVER_EXPIRES {
        @Override
        public RuleSet rules(Duration step) {
            return withLength(step, (entry, now) -> Duration.ZERO);
        }
    },

    /** A server is judged by the time of day that it wrote. */
    EXPIRY_BY_THE_TIME_OF_DAY {
        @Override
        public RuleSet rules(Duration step) {
            return withLength(step, (entry, now) -> {
                Grant grant = Objects.requireNonNull(entry.grant());
                return Duration.between(grant.grantedAt(), now.wall());
            });
        }
    },

    /** A fence is unique, but does not grow. */
    RANDOM_FENCE {
        @Override
        public RuleSet rules(Duration step) {
            FenceRules fenceRules = new FenceRules() {
                @Override
                protected Fence next(Fence last, WriteStamp writeStamp) {
                    return Fence.of((writeStamp.version().id().getMostSignificantBits() >>> 2) + 1);
                }
            };
            return RuleSet.of(new ExpiryRules(step), fenceRules, new ValidityRules());
        }
    };

    private static final Duration HOPE = Duration.ofSeconds(10);

    /** The time for which a grant has not been renewed. */
    private interface GrantAge {
        Duration of(Entry entry, ClockReading now);
    }

    private static RuleSet withLength(Duration step, GrantAge age) {
        ExpiryRules expiryRules = new ExpiryRules(step) {
            @Override
            protected Duration length(Entry entry, ObservedEntry seen, ClockReading now) {
                return age.of(entry, now);
            }
        };
        return RuleSet.of(expiryRules, new FenceRules(), new ValidityRules());
    }

    @Override
    public boolean checksHistories() {
        return false;
    }
}
