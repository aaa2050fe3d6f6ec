package dev.holdfast.sim;

import dev.holdfast.internal.engine.StorePort;
import dev.holdfast.internal.rules.Belief;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.Fences;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.Request;
import dev.holdfast.internal.rules.RuleBook;
import dev.holdfast.internal.rules.Rules;
import dev.holdfast.internal.rules.Settlement;
import dev.holdfast.internal.rules.Sighting;
import dev.holdfast.internal.rules.Silence;
import dev.holdfast.internal.rules.Stamp;
import dev.holdfast.model.Beat;
import dev.holdfast.model.Entry;
import dev.holdfast.model.Fence;
import dev.holdfast.model.Grant;
import dev.holdfast.model.Key;
import dev.holdfast.model.State;
import dev.holdfast.model.Version;
import dev.holdfast.sim.world.SimProcess;
import dev.holdfast.sim.world.SimRuntime;
import dev.holdfast.sim.world.SimStore;
import dev.holdfast.spi.Change;
import dev.holdfast.spi.LeaseStore;
import dev.holdfast.spi.Runtime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Mistakes that lease libraries have made, or could make. Each must be caught, or a checker is blind. */
enum PlantedBug implements Variant {
    HOLDER_COUNTS_FROM_THE_REPLY("LocksUnderChurn") {
        @Override
        public RuleBook rules(Duration step) {
            return believing(step, new Belief() {
                @Override
                public Moment start(Moment firstSent, Moment lastSent, Moment answered) {
                    return answered;
                }
            });
        }
    },

    HOLDER_COUNTS_FROM_THE_RETRY("LocksUnderChurn") {
        @Override
        public RuleBook rules(Duration step) {
            return believing(step, new Belief() {
                @Override
                public Moment start(Moment firstSent, Moment lastSent, Moment answered) {
                    return lastSent;
                }
            });
        }
    },

    HOLDER_TRUSTS_A_TICKER_THAT_STOPS_IN_SLEEP("LocksUnderChurn") {
        @Override
        public RuleBook rules(Duration step) {
            return believing(step, new Belief() {
                @Override
                public Duration elapsed(Moment from, Moment to) {
                    return Duration.ofNanos(to.nanos() - from.nanos());
                }
            });
        }
    },

    TAKER_TRUSTS_THE_HOLDERS_WALL_CLOCK("LocksUnderChurn") {
        @Override
        public RuleBook rules(Duration step) {
            Silence silence = new Silence(step) {
                @Override
                protected Duration length(Entry entry, Sighting seen, Instant now) {
                    Grant grant = Objects.requireNonNull(entry.grant());
                    return Duration.between(grant.grantedAt(), now);
                }
            };
            return RuleBook.of(silence, new Fences(), new Belief());
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
        public RuleBook rules(Duration step) {
            return ruledBy(step, (silence, fences) -> new Rules(silence, fences) {
                private long writer;

                /** Numbers versions per key and writer, and starts again with a key that was deleted. */
                @Override
                public Decision decide(
                        Key key, Request request, @Nullable Sighting seen, @Nullable Sighting anchor, Stamp stamp) {
                    writer = writer == 0 ? stamp.version().id().getMostSignificantBits() : writer;
                    Entry entry = seen == null ? null : seen.entry();
                    long number = entry == null || entry.grants() == 0
                            ? 1
                            : entry.version().id().getLeastSignificantBits() + 1;
                    Stamp numbered = new Stamp(Version.of(new UUID(writer, number)), stamp.now(), stamp.floor());
                    return super.decide(key, request, seen, anchor, numbered);
                }
            });
        }
    },

    FENCE_RESTARTS_AFTER_RELEASE("LocksUnderChurn") {
        @Override
        public RuleBook rules(Duration step) {
            return RuleBook.of(
                    new Silence(step),
                    new Fences() {
                        @Override
                        protected Fence next(Fence last, Stamp stamp) {
                            return Fence.of(Math.floorMod(stamp.now().toEpochMilli(), 1000) + 1);
                        }
                    },
                    new Belief());
        }
    },

    FENCE_LOST_WITH_A_HOT_KEY_THAT_WAS_CLEANED_UP("IdleKeys") {
        @Override
        public RuleBook rules(Duration step) {
            return RuleBook.of(
                    new Silence(step),
                    new Fences() {
                        @Override
                        protected boolean isPast(Fence fence, Instant now) {
                            return true;
                        }
                    },
                    new Belief());
        }
    },

    ANCHORED_LEASE_TAKEN_WITHOUT_EVICTING_THE_ANCHOR("AnchoredWorkers") {
        @Override
        public RuleBook rules(Duration step) {
            return ruledBy(step, (silence, fences) -> new Rules(silence, fences) {
                @Override
                protected Decision anchorSilent(Scene scene, Supplier<Decision> otherwise) {
                    return otherwise.get();
                }
            });
        }
    },

    CHILD_OUTLIVES_ITS_ANCHORS_DEADLINE("AnchoredWorkers") {
        @Override
        public RuleBook rules(Duration step) {
            return believing(step, new Belief() {
                @Override
                public Duration remaining(Tenure own, @Nullable Tenure anchor, Moment now) {
                    Duration byItself = remaining(own, now);
                    Duration byAnchor = super.remaining(own, anchor, now);
                    return byItself.compareTo(byAnchor) > 0 ? byItself : byAnchor;
                }
            });
        }
    },

    ORPHAN_JUDGED_BY_AN_OLDER_SIGHTING_OF_ITS_ANCHOR("AnchoredWorkers") {
        @Override
        public RuleBook rules(Duration step) {
            return ruledBy(step, (silence, fences) -> new Rules(silence, fences) {
                @Override
                public Decision decide(
                        Key key, Request request, @Nullable Sighting seen, @Nullable Sighting anchor, Stamp stamp) {
                    return super.decide(key, request, seen, anchor == null ? null : asIfJustSeen(anchor), stamp);
                }
            });
        }
    },

    DONE_IS_NOT_FINAL("OnceLedger") {
        @Override
        public RuleBook rules(Duration step) {
            return ruledBy(step, (silence, fences) -> new Rules(silence, fences) {
                @Override
                protected Decision acquire(Request.Acquire request, Scene scene) {
                    Entry entry = scene.seen().entry();
                    if (entry == null || entry.state() != State.DONE) {
                        return super.acquire(request, scene);
                    }
                    Sighting asIfFree = withEntry(scene.seen(), entry.freed(entry.version()));
                    return super.acquire(request, new Scene(scene.key(), asIfFree, scene.anchor(), scene.stamp()));
                }
            });
        }
    },

    UNKNOWN_OUTCOME_TAKEN_AS_NO("OnceLedger") {
        @Override
        public StorePort port(StorePort port, SimStore store) {
            return BadPorts.unknownIsNo(port);
        }
    },

    UNKNOWN_OUTCOME_SETTLED_BY_A_READ("OnceLedger") {
        @Override
        public RuleBook rules(Duration step) {
            Silence silence = new Silence(step);
            Fences fences = new Fences();
            Settlement settlement = new Settlement(fences) {
                @Override
                public Change bar(Change doubtful, @Nullable Entry expected, Stamp stamp) {
                    Change bar = super.bar(doubtful, expected, stamp);
                    BadPorts.noteBar(bar);
                    return bar;
                }
            };
            return new RuleBook(new Rules(silence, fences), silence, fences, new Belief(), settlement);
        }

        @Override
        public StorePort port(StorePort port, SimStore store) {
            return BadPorts.readsInsteadOfBarring(port);
        }
    },

    RELEASED_LEASE_REVIVED_BY_A_LATE_RENEWAL("LocksUnderChurn") {
        @Override
        public RuleBook rules(Duration step) {
            return ruledBy(step, (silence, fences) -> new Rules(silence, fences) {
                @Override
                protected Decision renew(Request.Renew request, Scene scene) {
                    Entry entry = scene.seen().entry();
                    if (entry == null || entry.state() != State.FREE || !entry.isOf(request.token())) {
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
        public RuleBook rules(Duration step) {
            return ruledBy(step, (silence, fences) -> new Rules(silence, fences) {
                @Override
                protected Decision update(Request.Update request, Scene scene) {
                    return renew(new Request.Renew(request.token(), null, request.attributes()), scene);
                }
            });
        }
    },

    WAITER_GRANTED_AFTER_ITS_OWN_DEADLINE("Stampede") {
        @Override
        public RuleBook rules(Duration step) {
            return believing(step, new Belief() {
                @Override
                public boolean inTime(long nowNanos, long deadlineNanos) {
                    return true;
                }
            });
        }
    },

    REFUSAL_ANSWERED_FROM_THE_CACHE("LocksUnderChurn") {
        @Override
        public RuleBook rules(Duration step) {
            return believing(step, new Belief() {
                @Override
                public boolean mayRefuse(long begun, long asked) {
                    return true;
                }
            });
        }
    },

    NO_MARGIN_FOR_DRIFT("UnsteadyClocks") {
        @Override
        public RuleBook rules(Duration step) {
            return RuleBook.of(impatient(step, term -> term.dividedBy(1000)), new Fences(), new Belief());
        }
    },

    NO_MARGIN_FOR_A_STORE_CLOCK_THAT_JUMPS("UnsteadyClocks") {
        @Override
        public RuleBook rules(Duration step) {
            return RuleBook.of(impatient(step, term -> step), new Fences(), new Belief());
        }
    },

    ACQUIRE_IGNORES_ITS_OWN_TOKEN("RelayedHolders") {
        @Override
        public RuleBook rules(Duration step) {
            return ruledBy(step, (silence, fences) -> new Rules(silence, fences) {
                @Override
                protected Decision acquire(Request.Acquire request, Scene scene) {
                    Entry entry = scene.seen().entry();
                    return entry != null && entry.isHeldBy(request.token())
                            ? Decision.Held.of(entry, request.term().duration())
                            : super.acquire(request, scene);
                }
            });
        }
    },

    A_BARRED_GRANT_IS_NOT_KNOWN_AGAIN("BarredGrants") {
        @Override
        public RuleBook rules(Duration step) {
            Silence silence = new Silence(step);
            Fences fences = new Fences();
            Settlement settlement = new Settlement(fences) {
                @Override
                public boolean tookEffect(Change change, @Nullable Entry current) {
                    Entry next = change.next();
                    return next != null && current != null && current.version().equals(next.version());
                }
            };
            return new RuleBook(new Rules(silence, fences), silence, fences, new Belief(), settlement);
        }
    },

    IMPORT_OVERWRITES_WHAT_A_CLIENT_HAS_CHANGED("ImportedRows") {
        @Override
        public RuleBook rules(Duration step) {
            return ruledBy(step, (silence, fences) -> new Rules(silence, fences) {
                @Override
                protected Decision importRow(Request.Import request, Scene scene) {
                    Entry entry = scene.seen().entry();
                    Scene asIfNew = new Scene(scene.key(), Sighting.absent(0, 0), null, scene.stamp());
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

                /** Its fence, at least, is right. */
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

    TIMERS_ARE_LOST("LocksUnderChurn") {
        @Override
        public Runtime runtime(SimProcess process) {
            return new SimRuntime(process) {
                @Override
                public Timer schedule(Duration delay, Runnable task) {
                    return random() < 0.2 ? () -> {} : super.schedule(delay, task);
                }
            };
        }
    };

    private final String scenario;

    PlantedBug(String scenario) {
        this.scenario = scenario;
    }

    /** Where it shows. */
    String scenario() {
        return scenario;
    }

    private static RuleBook believing(Duration step, Belief belief) {
        return RuleBook.of(new Silence(step), new Fences(), belief);
    }

    /** Counts as silence what is meant as a margin. */
    private static Silence impatient(Duration step, UnaryOperator<Duration> margin) {
        return new Silence(step) {
            @Override
            protected Duration length(Entry entry, Sighting seen, Instant now) {
                Duration term = Objects.requireNonNull(entry.grant()).term().duration();
                return super.length(entry, seen, now).plus(margin.apply(term));
            }
        };
    }

    private interface RulesMaker {
        Rules make(Silence silence, Fences fences);
    }

    private static RuleBook ruledBy(Duration step, RulesMaker maker) {
        Silence silence = new Silence(step);
        Fences fences = new Fences();
        return new RuleBook(maker.make(silence, fences), silence, fences, new Belief(), new Settlement(fences));
    }

    private static Sighting asIfJustSeen(Sighting sighting) {
        return new Sighting(
                sighting.entry(),
                sighting.age(),
                sighting.sinceAnswer(),
                sighting.sinceFirstSeen(),
                Long.MAX_VALUE,
                Long.MAX_VALUE);
    }

    private static Sighting withEntry(Sighting sighting, Entry entry) {
        return new Sighting(
                entry,
                sighting.age(),
                sighting.sinceAnswer(),
                sighting.sinceFirstSeen(),
                sighting.asked(),
                sighting.told());
    }
}
