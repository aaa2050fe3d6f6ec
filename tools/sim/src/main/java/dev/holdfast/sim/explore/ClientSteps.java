package dev.holdfast.sim.explore;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.Decision;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.rules.RuleSet;
import dev.holdfast.rules.ValidityRules.Tenure;
import dev.holdfast.rules.WriteStamp;
import dev.holdfast.sim.explore.NetworkMessage.ReadRequest;
import dev.holdfast.sim.explore.NetworkMessage.StoreAnswer;
import dev.holdfast.sim.explore.NetworkMessage.WriteRequest;
import dev.holdfast.sim.explore.RunningRequest.Phase;
import dev.holdfast.store.AnchorRef;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import dev.holdfast.store.Version;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a client: it decides by the shipped rules, sends, and concludes from answers. The order of the steps is that
 * of the pipeline (RequestDecider and WriteConclusions), without queues and timers: the search chooses when a client stops
 * waiting for an answer.
 */
final class ClientSteps {
    private final RuleSet rules;
    private final List<Key> keys;

    ClientSteps(RuleSet rules, List<Key> keys) {
        this.rules = rules;
        this.keys = keys;
    }

    static UUID id(long number) {
        return new UUID(0, number);
    }

    WorldState start(WorldState world, int client, int key, LeaseRequest request) {
        ClientState state = world.clients().get(client).withPlace();
        RunningRequest running = new RunningRequest(key, request, state.places(), new Phase.Reading(key), 0, 0, null);
        return decide(world.withClient(client, state), client, running);
    }

    /** Decides the next step of a request from the newest answers. */
    private WorldState decide(WorldState world, int client, RunningRequest running) {
        ClientState state = world.clients().get(client);
        ObservedEntry seen = state.seen().get(running.key());
        AnchorRef ref =
                seen == null || seen.entry() == null ? null : running.request().anchorOf(seen.entry());
        ObservedEntry anchor = ref == null ? null : state.seen().get(keys.indexOf(ref.key()));
        WriteStamp stamp = new WriteStamp(Version.of(id(world.ids())), state.clock(world.nowNanos()), Fence.NONE);
        Decision decision = rules.decisions().decide(keys.get(running.key()), running.request(), seen, anchor, stamp);
        Key stale = seen == null ? null : stale(running, seen, ref, anchor);
        if (decision instanceof Decision.Write write) {
            if (stale != null && anchor != null && running.request().needsLivingAnchor()) {
                return read(world, client, running, stale);
            }
            ClockReading now = stamp.at();
            Entry replaced = seen == null ? null : seen.entry();
            return write(
                    world.withIds(world.ids() + 1),
                    client,
                    running,
                    new Phase.Writing(write.change(), replaced, now, now, false),
                    write.change());
        }
        if (decision instanceof Decision.ReadFirst first) {
            return read(world, client, running, first.key());
        }
        if (decision instanceof Decision.EvictFirst evict) {
            ClientState asking = state.withPlace();
            int evicted = keys.indexOf(evict.anchor());
            return decide(
                    world.withClient(client, asking),
                    client,
                    new RunningRequest(
                            evicted,
                            new LeaseRequest.EvictExpired(),
                            asking.places(),
                            new Phase.Reading(evicted),
                            0,
                            0,
                            running));
        }
        return stale == null
                ? over(decision instanceof Decision.Lost ? toldLost(world, client, running) : world, client, running)
                : read(world, client, running, stale);
    }

    private @Nullable Key stale(
            RunningRequest running, ObservedEntry seen, @Nullable AnchorRef ref, @Nullable ObservedEntry anchor) {
        if (!rules.validity().mayRefuse(running.begun(), seen.asked())) {
            return keys.get(running.key());
        }
        boolean isAnchorStale = anchor != null && !rules.validity().mayRefuse(running.begun(), anchor.asked());
        return ref != null && isAnchorStale ? ref.key() : null;
    }

    private static WorldState toldLost(WorldState world, int client, RunningRequest running) {
        return world.withClient(client, world.clients().get(client).withHeld(running.key(), null));
    }

    /** The request is over, successfully or not. */
    private WorldState over(WorldState world, int client, RunningRequest running) {
        WorldState idle = world.withClient(client, world.clients().get(client).withRunning(null));
        return running.then() == null ? idle : decide(idle, client, running.then());
    }

    private WorldState read(WorldState world, int client, RunningRequest running, Key key) {
        int index = keys.indexOf(key);
        ClientState state = world.clients().get(client).withSend();
        RunningRequest reading = running.waiting(new Phase.Reading(index), state.sends(), state.places());
        return world.withClient(client, state.withRunning(reading)).with(new ReadRequest(client, state.sends(), index));
    }

    private WorldState write(WorldState world, int client, RunningRequest running, Phase phase, Change change) {
        ClientState state = world.clients().get(client).withSend();
        return world.withClient(client, state.withRunning(running.waiting(phase, state.sends(), state.places())))
                .with(new WriteRequest(
                        client,
                        state.sends(),
                        running.key(),
                        change,
                        phase instanceof Phase.Writing && running.request() instanceof LeaseRequest.EvictByForce));
    }

    /** The client stops waiting for an answer. It sends the same again. */
    WorldState repeat(WorldState world, int client) {
        RunningRequest running =
                Objects.requireNonNull(world.clients().get(client).running());
        if (running.phase() instanceof Phase.Reading reading) {
            return read(world, client, running, keys.get(reading.key()));
        }
        if (running.phase() instanceof Phase.Barring barring) {
            return write(world, client, running, barring, barring.bar());
        }
        Phase.Writing writing = (Phase.Writing) running.phase();
        ClockReading now = world.clients().get(client).clock(world.nowNanos());
        Phase.Writing again = new Phase.Writing(writing.change(), writing.replaced(), writing.firstSent(), now, true);
        return write(world, client, running, again, writing.change());
    }

    /** The client stops waiting for an answer, and gives up. It makes sure that its change is not applied later. */
    WorldState giveUp(WorldState world, int client) {
        RunningRequest running =
                Objects.requireNonNull(world.clients().get(client).running());
        if (running.phase() instanceof Phase.Writing writing
                && running.request().mustBeSettled()) {
            ClientState state = world.clients().get(client);
            WriteStamp stamp = new WriteStamp(Version.of(id(world.ids())), state.clock(world.nowNanos()), Fence.NONE);
            Change bar = rules.settlement().bar(writing.change(), writing.replaced(), stamp);
            return write(world.withIds(world.ids() + 1), client, running, new Phase.Barring(writing, bar), bar);
        }
        return abandoned(world, client);
    }

    /** The request fails. The requests that wait for it fail, too. */
    private static WorldState abandoned(WorldState world, int client) {
        return world.withClient(client, world.clients().get(client).withRunning(null));
    }

    WorldState answered(WorldState before, int client, StoreAnswer answer) {
        ClientState state = before.clients().get(client).withPlace();
        WorldState world = before.withClient(client, state);
        RunningRequest running = Objects.requireNonNull(state.running());
        if (running.phase() instanceof Phase.Reading reading) {
            return decide(noted(world, client, reading.key(), answer.stored(), running.asked()), client, running);
        }
        Phase.Writing writing =
                running.phase() instanceof Phase.Barring barring ? barring.given() : (Phase.Writing) running.phase();
        boolean isBarring = running.phase() instanceof Phase.Barring;
        if (answer.applied()) {
            Change sent = running.phase() instanceof Phase.Barring barring ? barring.bar() : writing.change();
            Entry next = Objects.requireNonNull(sent.next());
            WorldState known = noted(world, client, running.key(), new StoredEntry(next, null), running.asked());
            return isBarring ? abandoned(known, client) : fulfilled(known, client, running, writing, next);
        }
        WorldState known = noted(world, client, running.key(), answer.stored(), running.asked());
        Entry current = answer.stored() == null ? null : answer.stored().entry();
        if (current != null && rules.settlement().tookEffect(writing.change(), current)) {
            return isBarring ? abandoned(known, client) : fulfilled(known, client, running, writing, current);
        }
        boolean isHarmful = writing.inDoubt() && !running.request().repeatsHarmlessly();
        return isBarring || isHarmful ? abandoned(known, client) : decide(known, client, running);
    }

    private static WorldState noted(WorldState world, int client, int key, @Nullable StoredEntry stored, long asked) {
        ClientState state = world.clients().get(client);
        ObservedEntry before = state.seen().get(key);
        if (before != null && before.asked() > asked) {
            return world;
        }
        long nanos = state.clock(world.nowNanos()).nanos();
        return world.withClient(
                client, state.withSeen(key, ObservedEntry.of(stored, asked, state.places(), nanos, before)));
    }

    private WorldState fulfilled(
            WorldState world, int client, RunningRequest running, Phase.Writing writing, Entry entry) {
        ClientState state = world.clients().get(client);
        ClockReading now = state.clock(world.nowNanos());
        HeldKey held = state.held().get(running.key());
        if (running.request() instanceof LeaseRequest.Acquire acquire) {
            Grant grant = Objects.requireNonNull(entry.grant());
            Tenure tenure = rules.validity().tenure(grant.term(), writing.firstSent(), writing.lastSent(), now);
            if (acquire.anchor() == null
                    && rules.validity().remaining(tenure, now).isZero()) {
                return decide(world, client, running); // It finds its own grant, and renews it.
            }
            HeldKey granted = new HeldKey(
                    acquire.token(),
                    entry.fence(),
                    tenure,
                    acquire.anchor() == null ? null : acquire.anchor().fence(),
                    0);
            return over(world.withClient(client, state.withHeld(running.key(), granted)), client, running);
        }
        if (running.request() instanceof LeaseRequest.Renew && held != null) {
            Grant grant = Objects.requireNonNull(entry.grant());
            Tenure tenure = rules.validity().tenure(grant.term(), writing.firstSent(), writing.lastSent(), now);
            return over(world.withClient(client, state.withHeld(running.key(), held.renewed(tenure))), client, running);
        }
        if (running.request() instanceof LeaseRequest.Update update && held != null) {
            long value = WorldChecks.value(update.attributes().puts());
            return over(world.withClient(client, state.withHeld(running.key(), held.updated(value))), client, running);
        }
        return over(world, client, running);
    }
}
