package dev.holdfast.sim.explore;

import dev.holdfast.Token;
import dev.holdfast.rules.ClockReading;
import dev.holdfast.rules.LeaseRequest;
import dev.holdfast.rules.ObservedEntry;
import dev.holdfast.sim.explore.RunningRequest.Phase;
import dev.holdfast.store.Change;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Grant;
import dev.holdfast.store.StoredEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a state. States that differ only in names have the same hash: ids are renamed in the order in which they
 * are found, fences by their rank, times by their distance from now, and clients of the same kind in any order.
 */
final class StateHash {
    /** A time further back than this makes no difference: every term is over. */
    private static final long LONG_AGO = 5_000_000_000L;

    private final WorldState world;
    private final int[] order;
    private final Map<UUID, Integer> names = new HashMap<>();
    private final List<Long> fences;
    private long[] words = new long[128];
    private int length;

    private StateHash(WorldState world, int[] order, List<Long> fences) {
        this.world = world;
        this.order = order;
        this.fences = fences;
    }

    /** The two halves of a hash of 128 bits. */
    record Hash(long high, long low) {}

    /** @param anchored whether client 0 has an anchor, and so differs from the others */
    static Hash of(WorldState world, boolean anchored) {
        List<Long> fences = fences(world);
        Hash least = null;
        for (int[] order : orders(world, anchored ? 1 : 0)) {
            Hash hash = new StateHash(world, order, fences).hash();
            if (least == null || Long.compare(hash.high, least.high) < 0) {
                least = hash;
            }
        }
        return Objects.requireNonNull(least);
    }

    /** The orders of clients that make no difference; the first {@code fixed} clients keep their places. */
    private static List<int[]> orders(WorldState world, int fixed) {
        List<int[]> all = new ArrayList<>();
        permute(new int[world.clients().size()], new boolean[world.clients().size()], 0, fixed, world, all);
        return all;
    }

    private static void permute(int[] order, boolean[] used, int at, int fixed, WorldState world, List<int[]> all) {
        if (at == order.length) {
            all.add(order.clone());
            return;
        }
        for (int client = 0; client < order.length; client++) {
            boolean fits = at < fixed
                    ? client == at
                    : world.clients().get(client).slow()
                            == world.clients().get(at).slow();
            if (!used[client] && fits) {
                used[client] = true;
                order[at] = client;
                permute(order, used, at + 1, fixed, world, all);
                used[client] = false;
            }
        }
    }

    private static List<Long> fences(WorldState world) {
        TreeSet<Long> all = new TreeSet<>();
        for (StoredKey stored : world.store()) {
            fences(stored.entry(), all);
        }
        for (ClientState client : world.clients()) {
            for (ObservedEntry seen : client.seen()) {
                fences(seen == null ? null : seen.entry(), all);
            }
            for (HeldKey held : client.held()) {
                if (held != null) {
                    all.add(held.fence().value());
                }
            }
            for (RunningRequest running = client.running(); running != null; running = running.then()) {
                if (running.phase() instanceof Phase.Writing writing) {
                    fences(writing.change().next(), all);
                    fences(writing.replaced(), all);
                } else if (running.phase() instanceof Phase.Barring barring) {
                    fences(barring.given().change().next(), all);
                    fences(barring.given().replaced(), all);
                    fences(barring.bar().next(), all);
                }
            }
        }
        for (NetworkMessage message : world.network()) {
            if (message instanceof NetworkMessage.WriteRequest write) {
                fences(write.change().next(), all);
            } else if (message instanceof NetworkMessage.StoreAnswer answer && answer.stored() != null) {
                fences(answer.stored().entry(), all);
            }
        }
        return new ArrayList<>(all);
    }

    private static void fences(@Nullable Entry entry, Set<Long> all) {
        if (entry != null) {
            all.add(entry.fence().value());
            if (entry.grant() != null && entry.grant().anchor() != null) {
                all.add(entry.grant().anchor().fence().value());
            }
        }
    }

    private Hash hash() {
        add(world.left().asNumber());
        for (StoredKey stored : world.store()) {
            entry(stored.entry());
            age(world.nowNanos() - stored.beatNanos());
        }
        for (int client : order) {
            client(world.clients().get(client));
        }
        messages();
        return mixed();
    }

    private void client(ClientState client) {
        ClockReading now = client.clock(world.nowNanos());
        long[] places = places(client);
        for (ObservedEntry seen : client.seen()) {
            if (seen == null) {
                add(-1);
                continue;
            }
            stored(seen.stored());
            add(Arrays.binarySearch(places, seen.asked()) * 64L + Arrays.binarySearch(places, seen.answered()));
            age(now.nanos() - seen.answeredNanos());
            age(now.nanos() - seen.beatSeenNanos());
        }
        for (HeldKey held : client.held()) {
            if (held == null) {
                add(-2);
                continue;
            }
            id(held.token().id());
            fence(held.fence().value());
            age(now.nanos() - held.tenure().start().nanos());
            add((world.evicted().contains(held.token()) ? 1 : 0) + 2 * held.value());
            fence(held.anchor() == null ? -1 : held.anchor().value());
        }
        for (RunningRequest running = client.running(); running != null; running = running.then()) {
            running(running, places, now);
        }
        add(-3);
    }

    /** Only the order of questions and answers matters, not their numbers. */
    private static long[] places(ClientState client) {
        TreeSet<Long> all = new TreeSet<>();
        for (ObservedEntry seen : client.seen()) {
            if (seen != null) {
                all.add(seen.asked());
                all.add(seen.answered());
            }
        }
        for (RunningRequest running = client.running(); running != null; running = running.then()) {
            all.add(running.begun());
            all.add(running.asked());
        }
        return all.stream().mapToLong(Long::longValue).toArray();
    }

    private void running(RunningRequest running, long[] places, ClockReading now) {
        add(running.key());
        request(running.request());
        add(Arrays.binarySearch(places, running.begun()) * 64L + Arrays.binarySearch(places, running.asked()));
        if (running.phase() instanceof Phase.Reading reading) {
            add(reading.key());
        } else if (running.phase() instanceof Phase.Writing writing) {
            writing(writing, now);
        } else if (running.phase() instanceof Phase.Barring barring) {
            writing(barring.given(), now);
            change(barring.bar());
        }
    }

    private void writing(Phase.Writing writing, ClockReading now) {
        change(writing.change());
        entry(writing.replaced());
        age(now.nanos() - writing.firstSent().nanos());
        age(now.nanos() - writing.lastSent().nanos());
        add(writing.inDoubt() ? 1 : 0);
    }

    private void request(LeaseRequest request) {
        add(request.getClass().getSimpleName().hashCode());
        Token token = request instanceof LeaseRequest.Acquire acquire
                ? acquire.token()
                : request instanceof LeaseRequest.Renew renew
                        ? renew.token()
                        : request instanceof LeaseRequest.Release release
                                ? release.token()
                                : request instanceof LeaseRequest.Done done
                                        ? done.token()
                                        : request instanceof LeaseRequest.Update update ? update.token() : null;
        if (token != null) {
            id(token.id());
            add(world.evicted().contains(token) ? 1 : 0);
        }
        if (request instanceof LeaseRequest.Acquire acquire && acquire.anchor() != null) {
            fence(acquire.anchor().fence().value());
        }
        if (request instanceof LeaseRequest.Update update) {
            add(WorldChecks.value(update.attributes().puts()));
        }
    }

    private void messages() {
        long[] each = new long[world.network().size()];
        for (int i = 0; i < each.length; i++) {
            each[i] = message(world.network().get(i));
        }
        Arrays.sort(each); // The network does not keep the order of messages.
        for (long one : each) {
            add(one);
        }
    }

    /** The ids of a message were all named before, except in a change of a client that has crashed or given up. */
    private long message(NetworkMessage message) {
        int from = length;
        int place = 0;
        while (order[place] != message.client()) {
            place++;
        }
        RunningRequest running = world.clients().get(message.client()).running();
        add(place * 4L + (running != null && running.send() == message.send() ? 1 : 0));
        if (message instanceof NetworkMessage.WriteRequest write) {
            add(1);
            change(write.change());
        } else if (message instanceof NetworkMessage.ReadRequest read) {
            add(2 + 4L * read.key());
        } else if (message instanceof NetworkMessage.StoreAnswer answer) {
            add(answer.applied() ? 3 : 7);
            stored(answer.stored());
        }
        long hash = 17;
        for (int i = from; i < length; i++) {
            hash = mix(hash * 31 + words[i]);
        }
        length = from;
        return hash;
    }

    private void change(Change change) {
        if (change.expected() == null) {
            add(-4);
        } else {
            id(change.expected().id());
        }
        entry(change.next());
    }

    private void stored(@Nullable StoredEntry stored) {
        entry(stored == null ? null : stored.entry());
        if (stored != null && stored.age() != null) {
            age(stored.age().toNanos());
        }
    }

    private void entry(@Nullable Entry entry) {
        if (entry == null) {
            add(-5);
            return;
        }
        add(entry.state().name().charAt(0));
        id(entry.version().id());
        fence(entry.fence().value());
        add(WorldChecks.value(entry.attributes()));
        Grant grant = entry.grant();
        if (grant != null) {
            id(grant.token().id());
            id(grant.beat().id());
            if (grant.anchor() != null) {
                fence(grant.anchor().fence().value());
            }
        }
    }

    private void age(long nanos) {
        add(Math.min(nanos, LONG_AGO));
    }

    private void fence(long value) {
        add(Collections.binarySearch(fences, value));
    }

    private void id(UUID id) {
        add(names.computeIfAbsent(id, unknown -> names.size()));
    }

    private void add(long word) {
        if (length == words.length) {
            words = Arrays.copyOf(words, 2 * length);
        }
        words[length++] = word;
    }

    private Hash mixed() {
        long high = 0x9E3779B97F4A7C15L;
        long low = 0xC2B2AE3D27D4EB4FL;
        for (int i = 0; i < length; i++) {
            high = mix(high ^ (words[i] * 0xFF51AFD7ED558CCDL));
            low = mix(low + words[i] * 0xC4CEB9FE1A85EC53L) + high;
        }
        return new Hash(high, low);
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
