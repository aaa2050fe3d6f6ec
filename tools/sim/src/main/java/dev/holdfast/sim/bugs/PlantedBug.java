package dev.holdfast.sim.bugs;

import dev.holdfast.AttributePatch;
import dev.holdfast.Fence;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseState;
import dev.holdfast.history.GrantEnd;
import dev.holdfast.history.GrantHistory;
import dev.holdfast.history.PastGrant;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.DecisionRules;
import dev.holdfast.rules.EntryStanding;
import dev.holdfast.rules.ExpiryRules;
import dev.holdfast.rules.FenceRules;
import dev.holdfast.rules.HistoryRules;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.SettlementRules;
import dev.holdfast.rules.ValidityRules;
import dev.holdfast.rules.WriteStamp;
import dev.holdfast.service.CallerTransaction;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.TransactionalDone;
import dev.holdfast.service.TransactionalLease;
import dev.holdfast.sim.SimulatedVariant;
import dev.holdfast.sim.world.SimEnvironment;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.Beat;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Bugs that lease libraries have had, or could have. A bug that is not caught proves a gap in the checkers. */
public enum PlantedBug implements SimulatedVariant {
    HOLDER_COUNTS_FROM_THE_REPLY("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return withValidityRules(step, new ValidityRules() {
                @Override
                public ClockReading start(ClockReading firstSent, ClockReading lastSent, ClockReading answered) {
                    return answered;
                }
            });
        }
    },

    HOLDER_COUNTS_FROM_THE_RETRY("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return withValidityRules(step, new ValidityRules() {
                @Override
                public ClockReading start(ClockReading firstSent, ClockReading lastSent, ClockReading answered) {
                    return lastSent;
                }
            });
        }
    },

    HOLDER_TRUSTS_A_TICKER_THAT_STOPS_IN_SLEEP("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return withValidityRules(step, new ValidityRules() {
                @Override
                public Duration elapsed(ClockReading from, ClockReading to) {
                    return Duration.ofNanos(to.nanos() - from.nanos());
                }
            });
        }
    },

    TAKER_TRUSTS_THE_HOLDERS_WALL_CLOCK("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            ExpiryRules expiryRules = new ExpiryRules(step) {
                @Override
                protected Duration length(Entry entry, ObservedEntry seen, ClockReading now) {
                    Grant grant = Objects.requireNonNull(entry.grant());
                    return Duration.between(grant.grantedAt(), now.wall());
                }
            };
            return RuleSet.of(expiryRules, new FenceRules(), new ValidityRules());
        }
    },

    COURTESY_TO_A_SUCCESSOR_NEVER_ENDS("NotifiedWaiters") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                protected Decision acquire(LeaseRequest.Acquire request, Scene scene) {
                    return super.acquire(request.yielding(true), scene);
                }

                @Override
                protected Decision.@Nullable Reserved reservation(Entry entry, Holder asker, Instant now) {
                    boolean isMarked = entry.attributes().get("~next").isPresent();
                    return isMarked ? new Decision.Reserved(Holder.of("absent"), Duration.ofSeconds(1)) : null;
                }
            });
        }
    },

    RENEWAL_WITHOUT_A_VERSION_CHECK("LocksUnderChurn") {
        @Override
        public LeaseStore store(LeaseStore store) {
            return new CarelessStore(store);
        }
    },

    VERSION_REUSED_AFTER_DELETE("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                private long writer;

                /** Numbers versions per key and writer, and restarts the numbers when a key was deleted. */
                @Override
                public Decision decide(
                        Key key,
                        LeaseRequest leaseRequest,
                        @Nullable ObservedEntry seen,
                        @Nullable ObservedEntry anchor,
                        WriteStamp writeStamp) {
                    writer = writer == 0 ? writeStamp.version().id().getMostSignificantBits() : writer;
                    Entry entry = seen == null ? null : seen.entry();
                    long number = entry == null || entry.grants() == 0
                            ? 1
                            : entry.version().id().getLeastSignificantBits() + 1;
                    WriteStamp numbered =
                            new WriteStamp(Version.of(new UUID(writer, number)), writeStamp.at(), writeStamp.floor());
                    return super.decide(key, leaseRequest, seen, anchor, numbered);
                }
            });
        }
    },

    FENCE_RESTARTS_AFTER_RELEASE("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return RuleSet.of(
                    new ExpiryRules(step),
                    new FenceRules() {
                        @Override
                        protected Fence next(Fence last, WriteStamp writeStamp) {
                            return Fence.of(Math.floorMod(writeStamp.now().toEpochMilli(), 1000) + 1);
                        }
                    },
                    new ValidityRules());
        }
    },

    FENCE_LOST_WITH_A_HOT_KEY_THAT_WAS_CLEANED_UP("IdleKeys") {
        @Override
        public RuleSet rules(Duration step) {
            return RuleSet.of(
                    new ExpiryRules(step),
                    new FenceRules() {
                        @Override
                        protected boolean isPast(Fence fence, Instant now) {
                            return true;
                        }
                    },
                    new ValidityRules());
        }
    },

    ANCHORED_LEASE_TAKEN_WITHOUT_EVICTING_THE_ANCHOR("AnchoredWorkers") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                protected Decision anchorSilent(Scene scene, Supplier<Decision> otherwise) {
                    return otherwise.get();
                }
            });
        }
    },

    CHILD_OUTLIVES_ITS_ANCHORS_DEADLINE("AnchoredWorkers") {
        @Override
        public RuleSet rules(Duration step) {
            return withValidityRules(step, new ValidityRules() {
                @Override
                public Duration remaining(Tenure own, @Nullable Tenure anchor, ClockReading now) {
                    Duration byItself = remaining(own, now);
                    Duration byAnchor = super.remaining(own, anchor, now);
                    return byItself.compareTo(byAnchor) > 0 ? byItself : byAnchor;
                }
            });
        }
    },

    ORPHAN_JUDGED_BY_A_STALE_READ_OF_ITS_ANCHOR("AnchoredWorkers") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                public Decision decide(
                        Key key,
                        LeaseRequest leaseRequest,
                        @Nullable ObservedEntry seen,
                        @Nullable ObservedEntry anchor,
                        WriteStamp writeStamp) {
                    return super.decide(
                            key, leaseRequest, seen, anchor == null ? null : asIfJustSeen(anchor), writeStamp);
                }
            });
        }
    },

    DONE_IS_NOT_FINAL("OnceLedger") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                protected Decision acquire(LeaseRequest.Acquire request, Scene scene) {
                    Entry entry = scene.seen().entry();
                    if (entry == null || entry.state() != LeaseState.DONE) {
                        return super.acquire(request, scene);
                    }
                    ObservedEntry asIfFree = withEntry(scene.seen(), entry.freed(entry.version()));
                    return super.acquire(request, new Scene(scene.key(), asIfFree, scene.anchor(), scene.stamp()));
                }
            });
        }
    },

    UNKNOWN_OUTCOME_TAKEN_AS_NO("OnceLedger") {
        @Override
        public AsyncStore port(AsyncStore port) {
            return BadPorts.unknownIsNo(port);
        }
    },

    UNKNOWN_OUTCOME_SETTLED_BY_A_READ("OnceLedger") {
        @Override
        public RuleSet rules(Duration step) {
            ExpiryRules expiryRules = new ExpiryRules(step);
            FenceRules fenceRules = new FenceRules();
            SettlementRules settlementRules = new SettlementRules(fenceRules) {
                @Override
                public Change bar(Change doubtful, @Nullable Entry expected, WriteStamp writeStamp) {
                    Change bar = super.bar(doubtful, expected, writeStamp);
                    BadPorts.noteBar(bar);
                    return bar;
                }
            };
            return new RuleSet(
                    new DecisionRules(expiryRules, fenceRules), expiryRules, new ValidityRules(), settlementRules);
        }

        @Override
        public AsyncStore port(AsyncStore port) {
            return BadPorts.readsInsteadOfBarring(port);
        }
    },

    RELEASED_LEASE_REVIVED_BY_A_LATE_RENEWAL("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                protected Decision renew(LeaseRequest.Renew request, Scene scene) {
                    Entry entry = scene.seen().entry();
                    if (entry == null || entry.state() != LeaseState.FREE || !entry.isOf(request.token())) {
                        return super.renew(request, scene);
                    }
                    Grant grant = Objects.requireNonNull(entry.grant());
                    Version version = scene.stamp().version();
                    Grant again = grant.renewed(Beat.of(version), grant.term());
                    return new Decision.Write(
                            Change.replace(entry.version(), entry.renewed(version, again, entry.attributes())));
                }
            });
        }
    },

    ATTRIBUTE_WRITE_KEEPS_A_DEAD_HOLDER_ALIVE("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                protected Decision update(LeaseRequest.Update request, Scene scene) {
                    return renew(new LeaseRequest.Renew(request.token(), null, request.attributes()), scene);
                }
            });
        }
    },

    WAITER_GRANTED_AFTER_ITS_OWN_DEADLINE("StampedeOnOneKey") {
        @Override
        public RuleSet rules(Duration step) {
            return withValidityRules(step, new ValidityRules() {
                @Override
                public boolean inTime(long nowNanos, long deadlineNanos) {
                    return true;
                }
            });
        }
    },

    REFUSAL_RETURNED_FROM_THE_CACHE("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return withValidityRules(step, new ValidityRules() {
                @Override
                public boolean mayRefuse(long begun, long asked) {
                    return true;
                }
            });
        }
    },

    NO_MARGIN_FOR_DRIFT("UnsteadyClocks") {
        @Override
        public RuleSet rules(Duration step) {
            return RuleSet.of(impatient(step, term -> term.dividedBy(1000)), new FenceRules(), new ValidityRules());
        }
    },

    NO_MARGIN_FOR_A_STORE_CLOCK_THAT_JUMPS("UnsteadyClocks") {
        @Override
        public RuleSet rules(Duration step) {
            return RuleSet.of(impatient(step, term -> step), new FenceRules(), new ValidityRules());
        }
    },

    ACQUIRE_IGNORES_ITS_OWN_TOKEN("RelayedHolders") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                protected Decision acquire(LeaseRequest.Acquire request, Scene scene) {
                    Entry entry = scene.seen().entry();
                    return entry != null && entry.isHeldBy(request.token())
                            ? Decision.Held.of(entry, request.term().duration())
                            : super.acquire(request, scene);
                }
            });
        }
    },

    A_BARRED_GRANT_IS_NOT_RECOGNIZED("BarredGrants") {
        @Override
        public RuleSet rules(Duration step) {
            ExpiryRules expiryRules = new ExpiryRules(step);
            FenceRules fenceRules = new FenceRules();
            SettlementRules settlementRules = new SettlementRules(fenceRules) {
                @Override
                public boolean tookEffect(Change change, @Nullable Entry current) {
                    Entry next = change.next();
                    return next != null && current != null && current.version().equals(next.version());
                }
            };
            return new RuleSet(
                    new DecisionRules(expiryRules, fenceRules), expiryRules, new ValidityRules(), settlementRules);
        }
    },

    IMPORT_OVERWRITES_THE_CHANGE_OF_A_CLIENT("ImportedRows") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                protected Decision importRow(LeaseRequest.Import request, Scene scene) {
                    Entry entry = scene.seen().entry();
                    Scene asIfNew = new Scene(scene.key(), ObservedEntry.absent(0, 0), null, scene.stamp());
                    Decision decision = super.importRow(request, asIfNew);
                    return entry != null && decision instanceof Decision.Write write
                            ? new Decision.Write(Change.replace(
                                    entry.version(),
                                    above(
                                            entry,
                                            Objects.requireNonNull(
                                                    write.change().next()))))
                            : decision;
                }

                /** Keeps the fence correct, so that only the overwritten entry is wrong. */
                private Entry above(Entry entry, Entry next) {
                    Fence fence = next.fence().isAbove(entry.fence())
                            ? next.fence()
                            : Fence.of(entry.fence().value() + 1);
                    return new Entry(
                            next.key(),
                            next.version(),
                            next.state(),
                            fence,
                            next.grants(),
                            next.grant(),
                            next.attributes(),
                            next.createdAt(),
                            next.doneAt());
                }
            });
        }
    },

    DONE_AFTER_THE_COMMIT("MarkedTransactions") {
        @Override
        public TransactionalDone transactionalDone(LeaseService service, Lease lease, DecisionRules rules) {
            return new TransactionalDone(service, lease, rules) {
                @Override
                public void mark(CallerTransaction transaction, AttributePatch patch) {
                    ((TransactionalLease) lease).stopRelying(); // Only the work is in the transaction.
                }

                @Override
                public void noteCommitted() {
                    lease.doneAsync(AttributePatch.NONE);
                }
            };
        }
    },

    UNKNOWN_COMMIT_SETTLED_BY_A_READ("MarkedTransactions") {
        @Override
        public TransactionalDone transactionalDone(LeaseService service, Lease lease, DecisionRules rules) {
            return new TransactionalDone(service, lease, rules) {
                @Override
                public CompletableFuture<CommitOutcome> settle(Duration within) {
                    return service.statuses()
                            .get(lease.key())
                            .thenApply(status -> status.isPresent()
                                            && status.get().state() == LeaseState.DONE
                                            && status.get().fence().equals(lease.fence())
                                    ? CommitOutcome.COMMITTED
                                    : CommitOutcome.ROLLED_BACK);
                }
            };
        }
    },

    TIMERS_ARE_LOST("LocksUnderChurn") {
        @Override
        public SimEnvironment runtime(SimProcess process) {
            return new SimEnvironment(process) {
                @Override
                public Timer schedule(Duration delay, Runnable task) {
                    return random() < 0.2 ? () -> {} : super.schedule(delay, task);
                }
            };
        }
    },

    HISTORY_CALLS_A_TAKEOVER_A_RELEASE("AnchoredWorkers") {
        @Override
        public RuleSet rules(Duration step) {
            return withHistoryRules(step, new HistoryRules(GrantHistory.USUAL_LINES) {
                @Override
                protected GrantEnd endOf(EntryStanding standing) {
                    return GrantEnd.RELEASED;
                }
            });
        }
    },

    HISTORY_IS_LOST_WITH_A_BAR("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            ExpiryRules expiryRules = new ExpiryRules(step);
            FenceRules fenceRules = new FenceRules();
            SettlementRules settlementRules = new SettlementRules(fenceRules) {
                @Override
                public Change bar(Change doubtful, @Nullable Entry expected, WriteStamp writeStamp) {
                    Entry forgetful = expected == null ? null : expected.withHistory(GrantHistory.NONE);
                    return super.bar(doubtful, forgetful, writeStamp);
                }
            };
            return new RuleSet(
                    new DecisionRules(expiryRules, fenceRules), expiryRules, new ValidityRules(), settlementRules);
        }
    },

    HISTORY_IS_LOST_WITH_A_RENEWAL("LocksUnderChurn") {
        @Override
        public RuleSet rules(Duration step) {
            return withDecisionRules(step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules) {
                @Override
                protected Decision renew(LeaseRequest.Renew request, Scene scene) {
                    return super.renew(request, scene) instanceof Decision.Write write
                                    && write.change().next() != null
                            ? new Decision.Write(new Change(
                                    write.change().key(),
                                    write.change().expected(),
                                    write.change().next().withHistory(GrantHistory.NONE)))
                            : super.renew(request, scene);
                }
            });
        }
    },

    HISTORY_FILLS_A_GAP_WITH_A_GUESS("MixedVersions") {
        @Override
        public RuleSet rules(Duration step) {
            return withHistoryRules(step, new HistoryRules(GrantHistory.USUAL_LINES) {
                @Override
                protected Entry taken(Entry entry, EntryStanding standing, WriteStamp writeStamp) {
                    long last = entry.history().last().map(PastGrant::number).orElse(0L);
                    return entry.state() == LeaseState.FREE && entry.grant() != null && last < entry.grants()
                            ? ended(entry, GrantEnd.RELEASED, writeStamp)
                            : super.taken(entry, standing, writeStamp);
                }
            });
        }
    };

    private final String scenario;

    PlantedBug(String scenario) {
        this.scenario = scenario;
    }

    @Override
    public boolean checksHistories() {
        return name().startsWith("HISTORY_");
    }

    /** The scenario that catches the bug. */
    public String scenario() {
        return scenario;
    }

    private static RuleSet withValidityRules(Duration step, ValidityRules validityRules) {
        return RuleSet.of(new ExpiryRules(step), new FenceRules(), validityRules);
    }

    /** Counts a safety margin as time without a renewal. */
    private static ExpiryRules impatient(Duration step, UnaryOperator<Duration> margin) {
        return new ExpiryRules(step) {
            @Override
            protected Duration length(Entry entry, ObservedEntry seen, ClockReading now) {
                Duration term = Objects.requireNonNull(entry.grant()).term().duration();
                return super.length(entry, seen, now).plus(margin.apply(term));
            }
        };
    }

    private interface RulesMaker {
        DecisionRules make(ExpiryRules expiryRules, FenceRules fenceRules);
    }

    private static RuleSet withHistoryRules(Duration step, HistoryRules historyRules) {
        return withDecisionRules(
                step, (expiryRules, fenceRules) -> new DecisionRules(expiryRules, fenceRules, historyRules));
    }

    private static RuleSet withDecisionRules(Duration step, RulesMaker maker) {
        ExpiryRules expiryRules = new ExpiryRules(step);
        FenceRules fenceRules = new FenceRules();
        return new RuleSet(
                maker.make(expiryRules, fenceRules), expiryRules, new ValidityRules(), new SettlementRules(fenceRules));
    }

    private static ObservedEntry asIfJustSeen(ObservedEntry observed) {
        return new ObservedEntry(
                observed.stored(), Long.MAX_VALUE, Long.MAX_VALUE, observed.answeredNanos(), observed.beatSeenNanos());
    }

    private static ObservedEntry withEntry(ObservedEntry observed, Entry entry) {
        StoredEntry stored = observed.stored();
        return new ObservedEntry(
                new StoredEntry(entry, stored == null ? null : stored.age()),
                observed.asked(),
                observed.answered(),
                observed.answeredNanos(),
                observed.beatSeenNanos());
    }
}
