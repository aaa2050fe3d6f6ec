package dev.holdfast.dynamodb.layouts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.fleet.Fleet;
import dev.holdfast.fleet.FleetOptions;
import dev.holdfast.fleet.Unit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Our workers without a planner and workers of a8m/lease form one fleet on one table. */
class KclFleetTest extends BesideTest {
    private static final List<String> UNITS =
            IntStream.range(0, 12).mapToObj(number -> "shard-" + number).toList();

    private final ForeignTable table = new ForeignTable("layout=kcl", "leaseKey");
    private final List<String> revoked = new CopyOnWriteArrayList<>();
    private final List<A8mFleetWorker> theirs = new ArrayList<>();

    @Override
    ForeignTable table() {
        return table;
    }

    private A8mFleetWorker theirs(String name) {
        A8mFleetWorker worker = new A8mFleetWorker(table, name, time, UNITS);
        theirs.add(worker);
        return worker;
    }

    private Fleet ours(String name) {
        CompletableFuture<Fleet> joining = Fleet.of(open(name), "shards")
                .worker(name)
                .withoutPlanner("")
                .options(FleetOptions.defaults().term(A8mWorker.EXPIRE_AFTER))
                .onAssigned(unit -> {})
                .onRevoked(
                        unit -> revoked.add(unit.name() + " " + unit.revoked().orElseThrow()))
                .joinAsync()
                .toCompletableFuture();
        time.advance(Duration.ZERO);
        return joining.join();
    }

    private void create() {
        A8mWorker creator = new A8mWorker(table, "creator", time);
        for (String unit : UNITS) {
            assertThat(creator.create(unit)).isTrue();
            assertThat(creator.evict(new A8mWorker.Lease(unit, "creator", 1))).isTrue();
        }
    }

    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            time.advance(Duration.ofSeconds(1));
            theirs.forEach(A8mFleetWorker::tick);
        }
    }

    /** Each second costs requests, so no more of them pass than are needed. */
    private void passUntil(BooleanSupplier condition, int mostSeconds) {
        for (int second = 0; second < mostSeconds && !condition.getAsBoolean(); second++) {
            pass(1);
        }
    }

    private Map<String, String> owners() {
        Map<String, String> owners = new HashMap<>();
        UNITS.forEach(unit -> owners.put(unit, Tool.text(table.item(unit), "leaseOwner")));
        return owners;
    }

    @Test
    void allShareTheUnitsAndNoWorkerTakesARenewedLease() {
        create();
        A8mFleetWorker ann = theirs("ann");
        pass(25);
        Fleet bob = ours("bob");
        Fleet cid = ours("cid");
        A8mFleetWorker dan = theirs("dan");

        passUntil(
                () -> Stream.of(
                                ann.load(),
                                dan.load(),
                                bob.held().size(),
                                cid.held().size())
                        .allMatch(load -> load == 3),
                240);

        assertThat(List.of(ann.load(), dan.load(), bob.held().size(), cid.held().size()))
                .containsOnly(3);
        Map<String, String> atRest = owners();
        pass(60);
        assertThat(owners()).as("a minute later").isEqualTo(atRest);
        assertThat(bob.held()).extracting(Unit::name).allMatch(name -> "bob".equals(atRest.get(name)));
    }

    /** They steal live leases to balance. Renewals every third of the term would detect a steal up to 3.4 s late. */
    @Test
    void aStolenUnitIsStoppedWithinATenthOfTheTermAndItsJitter() {
        create();
        Fleet bob = ours("bob");
        passUntil(() -> bob.held().size() == UNITS.size(), 30);
        A8mWorker thief = new A8mWorker(table, "thief", time);

        // Not so many that they have more than we have: we would steal them back.
        for (String unit : UNITS.subList(0, 5)) {
            time.advance(Duration.ofMillis(470));
            assertThat(thief.take(requireNonNull(thief.read(unit)))).isNotNull();
            assertThat(bob.held()).as("a moment after").extracting(Unit::name).contains(unit);

            time.advance(A8mWorker.EXPIRE_AFTER.dividedBy(10).multipliedBy(11).dividedBy(10));

            assertThat(bob.held()).as("after a check").extracting(Unit::name).doesNotContain(unit);
            assertThat(revoked).contains(unit + " LOST");
        }
        assertThat(bob.held()).hasSize(UNITS.size() - 5);
    }

    @Test
    void weTakeOverFromTheirDeadWorkersAndTheyFromOursThatLeave() {
        create();
        A8mFleetWorker ann = theirs("ann");
        Fleet bob = ours("bob");
        passUntil(() -> ann.load() == 6 && bob.held().size() == 6, 200);
        assertThat(ann.load()).isEqualTo(6);
        assertThat(bob.held()).hasSize(6);

        theirs.remove(ann); // It does nothing from now on.
        pass(30);
        assertThat(bob.held()).hasSize(12);

        A8mFleetWorker dan = theirs("dan");
        CompletableFuture<Void> leaving = bob.closeAsync().toCompletableFuture();
        pass(60);
        assertThat(leaving).isDone();
        assertThat(dan.load()).isEqualTo(12);
        assertThat(owners()).containsValue("dan").doesNotContainValue("bob");
    }
}
