package dev.holdfast.sim.explore;

import dev.holdfast.AttributePatch;
import dev.holdfast.Holder;
import dev.holdfast.Key;
import dev.holdfast.Token;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.sim.explore.NetworkMessage.ReadRequest;
import dev.holdfast.sim.explore.NetworkMessage.StoreAnswer;
import dev.holdfast.sim.explore.NetworkMessage.WriteRequest;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All steps that are possible in a state. */
final class WorldSteps {
    static final Term TERM = Term.ofMillis(1000);

    /** The third of these steps is beyond the end of a term, and beyond the patience of other clients. */
    private static final List<Duration> COARSE = List.of(Duration.ofMillis(500));

    /**
     * Two long steps and up to four short ones lead to the moments around the end of a term and of the patience of other
     * clients: 999, 999.5, 1000, 1000.5 and 1001 ms.
     */
    private static final List<Duration> FINE = List.of(Duration.ofNanos(499_500_000), Duration.ofNanos(500_000));

    private static final LeaseRequest EVICTION = new LeaseRequest.EvictByForce(Holder.of("operator"), "it hangs");

    private final WorldBounds bounds;
    private final ClientSteps clients;
    private final WorldChecks checks;
    private final List<Key> keys;

    WorldSteps(WorldBounds bounds, RuleSet rules) {
        this.bounds = bounds;
        Key anchor = Key.ofAnchor(Holder.of("client-0"));
        this.keys = Stream.concat(
                        IntStream.range(0, bounds.keys()).mapToObj(i -> Key.of("key-" + i)),
                        bounds.anchored() ? Stream.of(anchor) : Stream.of())
                .toList();
        this.clients = new ClientSteps(rules, keys);
        this.checks = new WorldChecks(rules.validity(), bounds.anchorKey());
    }

    List<WorldStep> from(WorldState world) {
        List<WorldStep> steps = new ArrayList<>();
        for (NetworkMessage message : world.network().stream().distinct().toList()) {
            arrive(world, message, steps);
        }
        for (int client = 0; client < world.clients().size(); client++) {
            if (world.clients().get(client).running() == null) {
                operations(world, client, steps);
            } else if (world.left().lost() > 0) {
                silence(world, client, steps);
            }
            if (world.left().crashes() > 0) {
                crash(world, client, steps);
            }
        }
        if (world.left().timeSteps() > 0) {
            for (Duration time : bounds.fineTime() ? FINE : COARSE) {
                add(
                        time.toNanos() / 1e6 + " ms pass",
                        world.at(world.nowNanos() + time.toNanos(), world.left().afterTime()),
                        steps);
            }
        }
        return steps;
    }

    private void add(String story, WorldState world, List<WorldStep> steps) {
        add(story, world, null, steps);
    }

    private void add(String story, WorldState next, @Nullable String broken, List<WorldStep> steps) {
        WorldState world = next.tidied();
        String violation = broken == null ? checks.violation(world) : broken;
        steps.add(new WorldStep(story, world, violation == null ? "" : violation));
    }

    private void arrive(WorldState world, NetworkMessage message, List<WorldStep> steps) {
        if (message instanceof StoreAnswer answer) {
            add(
                    name(answer.client()) + " gets the answer: " + text(answer),
                    clients.answered(world.without(message), answer.client(), answer),
                    steps);
        } else if (message instanceof ReadRequest read) {
            StoredKey stored = world.store().get(read.key());
            add(
                    "the store answers a read of " + name(read.client()) + " for " + keys.get(read.key()),
                    world.without(message)
                            .with(new StoreAnswer(
                                    read.client(),
                                    read.send(),
                                    false,
                                    stored.read(world.nowNanos(), bounds.storeHasClock()))),
                    steps);
        } else if (message instanceof WriteRequest write) {
            write(world, write, world.without(message), "", steps);
            if (world.left().doubled() > 0) {
                write(world, write, world.withLeft(world.left().afterDoubling()), ", and its copy stays", steps);
            }
        }
    }

    /** The store applies a change, or refuses it. */
    private void write(WorldState world, WriteRequest write, WorldState rest, String more, List<WorldStep> steps) {
        StoredKey stored = world.store().get(write.key());
        String what = "a change of " + name(write.client()) + " for " + keys.get(write.key());
        if (!stored.accepts(write.change())) {
            add(
                    "the store refuses " + what + more,
                    rest.with(new StoreAnswer(
                            write.client(),
                            write.send(),
                            false,
                            stored.read(world.nowNanos(), bounds.storeHasClock()))),
                    steps);
            return;
        }
        StoredKey after = stored.after(write.change(), world.nowNanos());
        Entry next = Objects.requireNonNull(after.entry());
        WorldState changed =
                rest.withStored(write.key(), after).with(new StoreAnswer(write.client(), write.send(), true, null));
        add(
                "the store applies " + what + more + ": " + text(next),
                write.byForce() ? changed.withEvicted(token(stored)) : changed,
                checks.violation(world, write.key(), stored.entry(), next, write.byForce()),
                steps);
    }

    private static Token token(StoredKey stored) {
        return Objects.requireNonNull(Objects.requireNonNull(stored.entry()).grant())
                .token();
    }

    private void operations(WorldState world, int client, List<WorldStep> steps) {
        if (world.left().operations() == 0) {
            return;
        }
        boolean hasAnchor = bounds.anchored() && client == 0;
        for (int key = 0; key < (hasAnchor ? bounds.allKeys() : bounds.keys()); key++) {
            HeldKey held = world.clients().get(client).held().get(key);
            if (held != null) {
                holder(world, client, key, held, steps);
            } else if (!hasAnchor || key == bounds.anchorKey()) {
                start(world, client, key, "acquires", acquire(world, client, null), steps);
            } else {
                HeldKey anchor = world.clients().get(client).held().get(bounds.anchorKey());
                if (anchor != null) {
                    AnchorRef ref = new AnchorRef(keys.get(bounds.anchorKey()), anchor.fence());
                    start(world, client, key, "acquires, under its anchor,", acquire(world, client, ref), steps);
                }
            }
            if (world.left().evictions() > 0) {
                start(world, client, key, "evicts", EVICTION, steps);
            }
        }
    }

    private static LeaseRequest acquire(WorldState world, int client, @Nullable AnchorRef anchor) {
        return new LeaseRequest.Acquire(
                Token.of(ClientSteps.id(world.ids())), Holder.of(name(client)), TERM, AttributePatch.NONE, anchor);
    }

    private void holder(WorldState world, int client, int key, HeldKey held, List<WorldStep> steps) {
        Token token = held.token();
        if (held.anchor() == null) {
            start(world, client, key, "renews", new LeaseRequest.Renew(token, null, AttributePatch.NONE), steps);
        }
        start(world, client, key, "releases", new LeaseRequest.Release(token, null), steps);
        if (key != bounds.anchorKey() || !bounds.anchored()) {
            start(world, client, key, "is done with", new LeaseRequest.Done(token, AttributePatch.NONE), steps);
            AttributePatch next = AttributePatch.putting(WorldChecks.VALUE, held.value() + 1);
            start(world, client, key, "updates", new LeaseRequest.Update(token, next), steps);
        }
    }

    private void start(
            WorldState world, int client, int key, String verb, LeaseRequest request, List<WorldStep> steps) {
        boolean isEviction = request instanceof LeaseRequest.EvictByForce;
        WorldState ready =
                world.withLeft(world.left().afterOperation(isEviction)).withIds(world.ids() + 1);
        // A holder stops relying on its lease before it sends the request that ends it.
        boolean ends = request instanceof LeaseRequest.Release || request instanceof LeaseRequest.Done;
        WorldState before =
                ends ? ready.withClient(client, ready.clients().get(client).withHeld(key, null)) : ready;
        add(name(client) + " " + verb + " " + keys.get(key), clients.start(before, client, key, request), steps);
    }

    /** A client waits for an answer in vain: it is lost, or late. */
    private void silence(WorldState world, int client, List<WorldStep> steps) {
        WorldState poorer = world.withLeft(world.left().afterLoss());
        long send =
                Objects.requireNonNull(world.clients().get(client).running()).send();
        WorldState lost = poorer;
        for (NetworkMessage message : world.network()) {
            if (message.client() == client && message.send() == send) {
                lost = lost.without(message);
            }
        }
        add("a message of " + name(client) + " is lost; it sends again", clients.repeat(lost, client), steps);
        add("a message of " + name(client) + " is lost; it gives up", clients.giveUp(lost, client), steps);
        add("a message of " + name(client) + " is late; it sends again", clients.repeat(poorer, client), steps);
        add("a message of " + name(client) + " is late; it gives up", clients.giveUp(poorer, client), steps);
    }

    private void crash(WorldState world, int client, List<WorldStep> steps) {
        ClientState state = world.clients().get(client);
        add(
                name(client) + " crashes, and starts again",
                world.withLeft(world.left().afterCrash())
                        .withClient(client, ClientState.fresh(state.slow(), bounds.allKeys(), state.sends())),
                steps);
    }

    private static String name(int client) {
        return "client-" + client;
    }

    private static String text(StoreAnswer answer) {
        return answer.applied()
                ? "applied"
                : answer.stored() == null ? "no entry" : text(answer.stored().entry());
    }

    private static String text(Entry entry) {
        String holder = entry.grant() == null ? "" : " " + entry.grant().holder() + ", fence " + entry.fence();
        return entry.state() + holder;
    }
}
