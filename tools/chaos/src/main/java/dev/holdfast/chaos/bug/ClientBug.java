package dev.holdfast.chaos.bug;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.embedded.LocalLeases;
import dev.holdfast.environment.BlockingStoreAdapter;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.store.AsyncStore;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Bugs of lease libraries that a run can plant in its clients ({@code --bug}). The judges must find each of them. */
@SuppressWarnings("ImmutableEnumChecker") // Its functions have no state.
public enum ClientBug {
    NONE(RuleSet::of, UnaryOperator.identity(), 1),
    /** No bug: answers get lost below the library, which must cope. A run with it has no violations. */
    LOST_ANSWERS(RuleSet::of, PortBug::losingAnswers, 1),
    ENDLESS_TERM(RuleBugs::endlessTerms, UnaryOperator.identity(), 1),
    EARLY_TAKEOVER(RuleBugs::earlyTakeover, UnaryOperator.identity(), 1),
    REPEATED_FENCE(RuleBugs::repeatedFences, UnaryOperator.identity(), 1),
    LOST_DONE(RuleBugs::lostDone, UnaryOperator.identity(), 1),
    LOST_RELEASE(RuleBugs::lostRelease, UnaryOperator.identity(), 1),
    CARELESS_RENEWAL(RuleSet::of, PortBug::carelessRenewals, 1),
    DROPPED_UPDATE(RuleSet::of, PortBug::droppingUpdates, 1),
    UNKNOWN_IS_NO(RuleSet::of, port -> PortBug.unknownIsNo(PortBug.losingAnswers(port)), 1),
    /** The clocks of the clients run far below the rate that Holdfast assumes. */
    SLOW_CLOCK(RuleSet::of, UnaryOperator.identity(), 0.6);

    private final Function<Duration, RuleSet> rules;
    private final UnaryOperator<AsyncStore> port;
    private final double rate;

    ClientBug(Function<Duration, RuleSet> rules, UnaryOperator<AsyncStore> port, double rate) {
        this.rules = rules;
        this.port = port;
        this.rate = rate;
    }

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a run with it must have violations. */
    public boolean isBug() {
        return this != NONE && this != LOST_ANSWERS;
    }

    /** @throws IllegalArgumentException if there is none of that name; an empty name means no bug */
    public static ClientBug named(String label) {
        return label.isEmpty()
                ? NONE
                : Arrays.stream(values())
                        .filter(bug -> bug.label().equals(label))
                        .findAny()
                        .orElseThrow(
                                () -> new IllegalArgumentException("bug: " + label + " (expected: " + labels() + ")"));
    }

    public static String labels() {
        return Arrays.stream(values()).map(ClientBug::label).collect(Collectors.joining(", "));
    }

    /** The rate of the client's clocks, relative to a rate within the bound. */
    public double rate() {
        return rate;
    }

    /**
     * Opens a client with the bug.
     *
     * @throws IllegalArgumentException if the URL names a server, whose clients have no rules
     */
    public Leases open(String url, HostEnvironment environment, LeasesOptions options) {
        LeaseStore store = Holdfast.provider(url).open(url, environment);
        AsyncStore threaded =
                BlockingStoreAdapter.threaded(store, options.operationTimeout().plus(options.settleTimeout()));
        return LocalLeases.over(
                port.apply(threaded), environment, rules.apply(store.traits().step()), options);
    }
}
