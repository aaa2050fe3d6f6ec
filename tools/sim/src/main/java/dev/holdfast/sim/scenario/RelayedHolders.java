package dev.holdfast.sim.scenario;

import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseService;
import dev.holdfast.sim.SimClient;
import dev.holdfast.sim.Simulation;
import dev.holdfast.sim.check.TokenHolding;
import dev.holdfast.sim.world.SimWorld;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import dev.holdfast.support.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A scenario of holders that send their requests through servers, with responses that get lost. A holder retries with
 * the same token, often at another server, and a server releases grants that it could not deliver. Renewals change the
 * term; the response to a shorter one may be lost too.
 */
final class RelayedHolders implements SimulationScenario {
    private static final List<Key> KEYS = SimulationScenario.keys(2);
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMillis(900);

    @Override
    public void play(Simulation simulation) {
        List<SimClient> servers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int index = i;
            servers.add(simulation.outsider("unstarted-" + i));
            simulation.process("server-" + i, simulation.wrongClock(), true, client -> servers.set(index, client));
        }
        simulation.processes("holder", 4, client -> acquire(new Asker(client, servers)));
        simulation.playOut(Duration.ofSeconds(40), Duration.ofSeconds(20), KEYS);
    }

    private static void acquire(Asker asker) {
        if (asker.client.simulation().isWindingDown()) {
            return;
        }
        SimWorld world = asker.client.world();
        Key key = asker.client.world().pick(KEYS);
        Token token =
                Token.of(new UUID(world.random().nextLong(), world.random().nextLong()));
        grant(asker, key, token, term(world), 3);
    }

    private static Duration term(SimWorld world) {
        return world.millis(500, 4500);
    }

    private static void grant(Asker asker, Key key, Token token, Duration term, int attempts) {
        Runnable again = () -> asker.client.afterUpTo(Duration.ofMillis(500), () -> acquire(asker));
        if (attempts == 0) {
            again.run();
            return;
        }
        Holder holder = Holder.of(asker.client.process().name());
        LeaseRequest.Acquire wanted = new LeaseRequest.Acquire(token, holder, Term.of(term), AttributePatch.NONE, null);
        Duration wait = asker.client.world().chance(0.5) ? Duration.ZERO : Duration.ofMillis(600);
        ClockReading sentAt = TokenHolding.now(asker.client.process());
        asker.<Answer>send(service -> service.acquire(key, wanted, wait.toNanos()), outcome -> {
            if (outcome instanceof Answer.Applied granted) {
                TokenHolding holding = new TokenHolding(
                        asker.client.process(),
                        key,
                        token,
                        Objects.requireNonNull(granted.entry()).fence(),
                        term,
                        sentAt);
                asker.client.report(checker -> checker.granted(holding));
                hold(asker, holding, 5);
            } else if (outcome != null) {
                requireOther(asker.client.simulation(), key, token, outcome);
                again.run();
            } else {
                grant(asker, key, token, term, attempts - 1);
            }
        });
    }

    /** Checks that a holder that retries with its token is not refused because of the grant of that token. */
    private static void requireOther(Simulation simulation, Key key, Token token, Answer outcome) {
        Entry current = simulation.store().current(key);
        if (outcome instanceof Answer.Refused refused
                && refused.refusal() instanceof Decision.Held held
                && current != null
                && current.isHeldBy(token)
                && current.fence().equals(held.fence())) {
            simulation
                    .checks()
                    .violated(
                            "an acquire is not refused because of its own grant",
                            key + " was refused because of " + held.fence());
        }
    }

    private static void hold(Asker asker, TokenHolding holding, int renewals) {
        Duration third = holding.term().dividedBy(3);
        boolean ends = renewals == 0 || asker.client.simulation().isWindingDown();
        asker.client.afterUpTo(third, ends ? () -> release(asker, holding) : () -> renew(asker, holding, renewals));
    }

    /** Requests another term half of the time. Without a response, the holder relies on the shorter one. */
    private static void renew(Asker asker, TokenHolding holding, int renewals) {
        SimWorld world = asker.client.world();
        Duration term = world.chance(0.5) ? holding.term() : term(world);
        ClockReading sentAt = TokenHolding.now(asker.client.process());
        holding.asks(term, sentAt);
        LeaseRequest.Renew wanted = new LeaseRequest.Renew(holding.token(), Term.of(term), AttributePatch.NONE);
        asker.<Boolean>send(
                service -> service.submit(holding.key(), wanted)
                        .thenApply(answer -> answer.unlessLost(holding.key()))
                        .handle((entry, error) -> error == null),
                renewed -> {
                    if (renewed == null) {
                        hold(asker, holding, renewals - 1);
                    } else if (renewed) {
                        holding.renewed(term, sentAt);
                        asker.client.report(checker -> checker.granted(holding));
                        hold(asker, holding, renewals - 1);
                    } else {
                        release(asker, holding);
                    }
                });
    }

    private static void release(Asker asker, TokenHolding holding) {
        holding.giveUp();
        asker.<Boolean>send(
                service -> asker.server
                        .api()
                        .release(holding.key(), holding.token())
                        .handle((released, error) -> error == null),
                released -> asker.client.afterUpTo(Duration.ofMillis(500), () -> acquire(asker)));
    }

    /** The sender of a holder's requests to the servers, over a connection that loses messages. */
    private static final class Asker {
        private static final Duration NEAR = Duration.ofMillis(2);
        private static final double LOSS = 0.08;

        private final SimClient client;
        private final List<SimClient> servers;
        private SimClient server;

        Asker(SimClient client, List<SimClient> servers) {
            this.client = client;
            this.servers = servers;
            this.server = servers.get(0);
        }

        /** @param then called once: with the response, or with null if there was none in time */
        <T> void send(Function<LeaseService, CompletionStage<T>> call, Consumer<@Nullable T> then) {
            SimWorld world = client.world();
            server = servers.get(world.random().nextInt(servers.size()));
            client.simulation().tally().operation();
            SimClient target = server;
            boolean[] over = {false};
            Consumer<@Nullable T> once = response -> {
                if (!over[0]) {
                    over[0] = true;
                    then.accept(response);
                }
            };
            client.after(RESPONSE_TIMEOUT, () -> once.accept(null));
            if (world.chance(LOSS) && !client.simulation().isWindingDown()) {
                return;
            }
            long life = client.process().life();
            target.process().after(world.between(Duration.ZERO, NEAR), () -> {
                LeaseService service = LeaseService.of(target.leases());
                Futures.whenDone(call.apply(service), (response, error) -> {
                    boolean lost = world.chance(LOSS) && !client.simulation().isWindingDown();
                    if (client.process().life() != life || lost || over[0]) {
                        releaseUndelivered(service, response);
                    } else if (response != null) {
                        client.process().after(world.between(Duration.ZERO, NEAR), () -> once.accept(response));
                    }
                });
            });
        }

        private void releaseUndelivered(LeaseService service, @Nullable Object response) {
            if (response instanceof Answer.Applied granted) {
                Futures.whenDone(service.releaseUndelivered(granted), (nothing, error) -> {});
            }
        }
    }
}
