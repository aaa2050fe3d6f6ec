package dev.holdfast.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of a fleet that apply in any order, or are rejected. */
class FleetBuilderTest {
    private static final Duration LONG_TERM = Duration.ofSeconds(30);

    private final FleetScene fleetScene = new FleetScene();
    private final List<String> events = new ArrayList<>();

    @AfterEach
    void close() {
        fleetScene.close();
    }

    private FleetBuilder builder() {
        return Fleet.of(fleetScene.outsider, "crew").worker("ann");
    }

    private void join(FleetBuilder builder) {
        CompletableFuture<Fleet> joining = builder.joinAsync().toCompletableFuture();
        fleetScene.advance(Duration.ZERO);
        joining.join();
    }

    private Duration anchorTerm() {
        return fleetScene
                .outsider
                .get(dev.holdfast.Key.ofAnchor(dev.holdfast.Holder.of("crew/ann")))
                .map(status -> Objects.requireNonNull(status.entry().grant()))
                .orElseThrow()
                .term()
                .duration();
    }

    @Test
    void aTermHoldsWhetherItIsSetBeforeOrAfterTheOptions() {
        FleetOptions options = FleetOptions.defaults().poll(Duration.ofSeconds(1));

        join(builder().term(LONG_TERM).options(options));
        assertThat(anchorTerm()).isEqualTo(LONG_TERM);

        join(builder().worker("bob").options(options).term(LONG_TERM));
    }

    @Test
    void twoDifferentTermsAreRejectedInEitherOrder() {
        FleetOptions fast = FleetOptions.fast();

        for (FleetBuilder twoTerms : List.of(
                builder().term(LONG_TERM).options(fast), builder().options(fast).term(LONG_TERM))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(twoTerms::joinAsync)
                    .withMessage("term: PT30S (expected: the term of the options, PT1S, or a term in one place only)");
        }
        join(builder().options(fast).term(Duration.ofSeconds(1)));
        assertThat(anchorTerm()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void callbacksThatWouldNeverBeCalledAreRejected() {
        UnitHandler handler = new UnitHandler() {
            @Override
            public CompletionStage<?> assigned(Unit unit) {
                return CompletableFuture.completedFuture(true);
            }

            @Override
            public CompletionStage<?> revoked(Unit unit) {
                return CompletableFuture.completedFuture(true);
            }
        };
        assertRejected("handler", "onAssigned", it -> it.handler(handler).onAssigned(unit -> {}));
        assertRejected("handler", "onRevoked", it -> it.onRevoked(unit -> {}).handler(handler));
        assertRejected(
                "handler",
                "onRevokedTogether",
                it -> it.onRevokedTogether(units -> {}).handler(handler));
        assertRejected("handler", "executor", it -> it.executor(Runnable::run).handler(handler));
        assertRejected(
                "onRevoked",
                "onRevokedTogether",
                it -> it.onRevokedTogether(units -> {}).onRevoked(unit -> {}));
    }

    private void assertRejected(String first, String second, UnaryOperator<FleetBuilder> settings) {
        assertThatIllegalArgumentException()
                .isThrownBy(settings.apply(builder())::joinAsync)
                .withMessage("fleet: both " + first + " and " + second + " are set (expected: one of them)");
    }

    @Test
    void workersOfOneBuilderHaveDifferentNames() {
        FleetBuilder unnamed = Fleet.of(fleetScene.outsider, "crew");

        join(unnamed);
        join(unnamed);

        assertThat(Fleet.status(fleetScene.outsider, "crew").workers()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void joiningAFleetWithoutUnitsIsReported(boolean planned) {
        FleetListener listener = new FleetListener() {
            @Override
            public void onNoUnits(String fleet) {
                events.add("no units in " + fleet);
            }
        };
        fleetScene.join("ann", it -> mode(it, planned).listener(listener));
        fleetScene.settle();
        assertThat(events).containsExactly("no units in crew");

        fleetScene.fleet("ann").units().create("a");
        fleetScene.join("bob", it -> mode(it, planned).listener(listener));
        fleetScene.settle();
        assertThat(events).hasSize(1);
    }

    private static FleetBuilder mode(FleetBuilder builder, boolean planned) {
        return planned ? builder : builder.withoutPlanner();
    }
}
