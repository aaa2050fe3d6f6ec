package dev.holdfast.dynamodb.layouts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.AcquireResult;
import dev.holdfast.Holder;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseStatus;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.Token;
import dev.holdfast.dynamodb.DatedStores;
import dev.holdfast.store.Grant;
import dev.holdfast.store.Term;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Tests of our locks beside TableTheory's lease package. */
class TableTheoryBesideTest extends BesideTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Duration SKEW = Duration.ofSeconds(5);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ForeignTable table = new ForeignTable("layout=tabletheory", "pk", "sk");
    private final TableTheoryClient theirs = new TableTheoryClient(table, time::now);

    @Override
    ForeignTable table() {
        return table;
    }

    @Test
    void ourItemsEqualTheirItemsRoundedUp() {
        time.advance(Duration.ofMillis(1));

        Lease lease = open("ours").tryAcquire(KEY, unrenewed(TERM)).orThrow();

        long ends = time.now().plus(TERM).getEpochSecond() + 1;
        Map<String, AttributeValue> item = table.item(NAME, "LOCK");
        assertThat(item).containsOnlyKeys("pk", "sk", "lease_token", "lease_expires_at", "ttl", "holdfast");
        assertThat(Tool.text(item, "lease_token")).isEqualTo(lease.token().secret());
        assertThat(Tool.number(item, "lease_expires_at")).isEqualTo(ends);
        assertThat(Tool.number(item, "ttl")).isEqualTo(ends + 3600);
    }

    @Test
    void theyAreRejectedWhileOurLeaseIsValidEvenIfTheirClockIsAhead() {
        TableTheoryClient ahead = new TableTheoryClient(table, () -> time.now().plus(SKEW));
        Lease lease = open("ours").tryAcquire(KEY, unrenewed(TERM)).orThrow();

        boolean taken = false;
        while (!taken) {
            taken = ahead.acquire(NAME, TERM).isPresent();
            assertThat(taken && lease.isHeld()).as("both hold").isFalse();
            time.advance(Duration.ofMillis(250));
        }
    }

    @Test
    void weAreRejectedWhileTheirLeaseIsValidEvenIfTheirClockIsBehind() {
        Instant end = time.now().minus(SKEW).plus(TERM);
        TableTheoryClient behind = new TableTheoryClient(table, () -> time.now().minus(SKEW));
        assertThat(behind.acquire(NAME, TERM)).isPresent();
        Leases ours = open("ours");

        while (!ours.tryAcquire(KEY, unrenewed(TERM)).isGranted()) {
            time.advance(Duration.ofMillis(250));
        }

        assertThat(time.now().minus(SKEW)).as("by their clock").isAfterOrEqualTo(end);
        assertThat(time.now()).isBefore(end.plus(SKEW).plus(SKEW));
    }

    @Test
    void aLeaseThatTheyRefreshIsNotTaken() {
        String token = theirs.acquire(NAME, Duration.ofSeconds(10)).orElseThrow();
        Leases ours = open("ours");
        for (int second = 0; second < 60; second += 5) {
            assertThat(theirs.refresh(NAME, token, Duration.ofSeconds(10))).isTrue();
            assertThat(ours.tryAcquire(KEY, unrenewed(TERM))).isInstanceOf(AcquireResult.HeldByAnother.class);
            time.advance(Duration.ofSeconds(5));
        }
    }

    @Test
    void aLeaseThatWeRenewIsNotTaken() {
        Lease lease = open("ours").tryAcquire(KEY, renewed(TERM)).orThrow();
        for (int second = 0; second < 120; second++) {
            assertThat(theirs.acquire(NAME, TERM)).isEmpty();
            time.advance(SECOND);
        }
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void eachRefreshesAndReleasesItsOwnOnly() {
        Leases ours = open("ours");
        Lease lease = ours.tryAcquire(KEY, unrenewed(TERM)).orThrow();

        assertThat(theirs.refresh(NAME, "theirs", TERM)).isFalse();
        assertThat(theirs.release(NAME, "theirs")).isFalse();
        lease.release();
        String token = theirs.acquire(NAME, TERM).orElseThrow();

        assertThat(ours.release(KEY, lease.token())).isFalse();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> ours.renew(KEY, lease.token()));
        assertThat(theirs.refresh(NAME, token, TERM)).isTrue();
        assertThat(theirs.release(NAME, token)).isTrue();
        assertThat(ours.get(KEY)).isEmpty();
    }

    @Test
    void aTermThatTheyDoNotRecordIsUnknownUntilWeWriteOne() {
        Leases ours = open("ours");
        String token = theirs.acquire(NAME, TERM).orElseThrow();
        assertThat(grant(ours, KEY).term().isKnown()).isFalse();
        assertThat(grant(ours, KEY).grantedAt()).as("unknown").isEqualTo(Instant.EPOCH);

        assertThat(ours.release(KEY, Token.parse(token))).isTrue();
        assertThat(grant(open("another"), KEY).term().isKnown()).as("released").isFalse();
        ours.tryAcquire(KEY, unrenewed(TERM)).orThrow();
        assertThat(grant(open("third"), KEY).term()).isEqualTo(Term.of(TERM));

        Key other = Key.of("other");
        ours.renew(other, Token.parse(theirs.acquire(other.name(), TERM).orElseThrow()));
        assertThat(grant(ours, other).term().isKnown()).as("renewed by us").isTrue();
    }

    private static Grant grant(Leases leases, Key key) {
        return requireNonNull(leases.get(key).orElseThrow().entry().grant());
    }

    @Test
    void aSortKeyOfItsOwnIsANameInANamespace() {
        Leases ours = open("ours");
        assertThat(theirs.acquire("order", "step-1", TERM)).isPresent();

        assertThat(ours.tryAcquire(Key.of("order", "step-1"), unrenewed(TERM)))
                .isInstanceOf(AcquireResult.HeldByAnother.class);
        ours.tryAcquire(Key.of("order", "step-2"), unrenewed(TERM)).orThrow();
        assertThat(theirs.acquire("order", "step-2", TERM)).isEmpty();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> ours.tryAcquire(Key.of("order", "LOCK"), unrenewed(TERM)))
                .withMessageContaining("name: LOCK");
    }

    @Test
    void anItemThatIsNoLeaseIsNeitherShownNorChanged() {
        Map<String, AttributeValue> other = Map.of("pk", Tool.text(NAME), "sk", Tool.text("LOCK"), "x", Tool.text("y"));
        put(other);
        Leases ours = open("ours");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> ours.tryAcquire(KEY, unrenewed(TERM)))
                .withMessageContaining("no lease of layout tabletheory");
        try (Stream<LeaseStatus> all = ours.list(LeaseFilter.all())) {
            assertThat(all).isEmpty();
        }
        assertThat(table.item(NAME, "LOCK")).isEqualTo(other);
    }

    @Test
    void theRecordedFactsOfTheirLeaseAreShown() {
        assertThat(theirs.acquire(NAME, TERM)).isPresent();

        LeaseStatus status = open("ours").get(KEY).orElseThrow();

        assertThat(status.isHeld()).isTrue();
        assertThat(status.holder()).contains(Holder.of("tabletheory"));
        assertThat(status.remaining()).isBetween(TERM, TERM.plus(SKEW).plusSeconds(1));
    }

    @Test
    void allNamesCanBeChosen() {
        ForeignTable named = new ForeignTable(
                "layout=tabletheory&pk=p&sk=s&lock-sk=L&token=tok&expires-at=exp&include-ttl=false", "p", "s");
        try (Leases ours = Holdfast.open(
                new Inline(named.store(time)),
                LeasesOptions.builder().environment(time).build())) {
            ours.tryAcquire(KEY, unrenewed(TERM)).orThrow();
        }
        assertThat(named.item(NAME, "L")).containsOnlyKeys("p", "s", "tok", "exp", "holdfast");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ForeignTable("layout=tabletheory&token=pk", "pk", "sk").store(time))
                .withMessageStartingWith("attribute names: pk, sk, pk");
    }

    @Test
    void aClockThatIsOffIsRejected() {
        for (Duration off : List.of(Duration.ofHours(1), Duration.ofHours(-1))) {
            ManualClock wrong = new ManualClock();
            Instant right = wrong.now().plus(off);
            try (Leases ours = Holdfast.open(
                    new Inline(DatedStores.open(table.url(), wrong, () -> right)),
                    LeasesOptions.builder().environment(wrong).build())) {
                assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(() -> ours.tryAcquire(KEY, unrenewed(TERM)))
                        .withMessageContaining("the clock of this machine is ")
                        .withMessageContaining("set the clock, or allow more skew");
            }
        }
        assertThat(table.item(NAME, "LOCK")).isEmpty();
    }

    @Test
    void rivalsNeverHoldAtOnce() throws Exception {
        TableTheoryClient ann = new TableTheoryClient(table, Instant::now);
        TableTheoryClient bob = new TableTheoryClient(table, Instant::now);
        try (Leases one = table.open("ours-1");
                Leases two = table.open("ours-2")) {
            new Contest().run(15, List.of(rival(ann), rival(bob), Contest.of(one, TERM), Contest.of(two, TERM)));
        }
    }

    private static Contest.Rival rival(TableTheoryClient client) {
        return () -> {
            Optional<String> token = client.acquire(Contest.key(), TERM);
            return token.map(
                    it -> () -> assertThat(client.release(Contest.key(), it)).isTrue());
        };
    }
}
