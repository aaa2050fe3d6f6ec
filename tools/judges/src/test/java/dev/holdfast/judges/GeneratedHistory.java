package dev.holdfast.judges;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A random history of clients that share keys of a simulated store. Each call takes effect at a random moment between
 * its stamps. Some clients die during a call: its effect comes in time, much later, or never.
 */
final class GeneratedHistory {
    private record Event(long at, long order, Runnable action) {}

    private static final class Client {
        final int number;
        int life = 1;
        int calls;
        String key = "";
        String token = "";

        Client(int number) {
            this.number = number;
        }

        String name() {
            return "c" + number + "." + life;
        }
    }

    private static final long MILLI = 1_000_000;
    private static final long TERM = 200 * MILLI;

    private final Random random;
    private final Map<String, SimulatedKey> keys = new HashMap<>();
    private final List<String> names;
    private final List<HistoryLine> lines = new ArrayList<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final int deathEvery;
    private int callsLeft;
    private long order;
    private int tokens;

    /** @param deathEvery after how many calls a client dies, on average; 0: never */
    GeneratedHistory(long seed, PlantedDefect defect, int clients, int keyCount, int calls, int deathEvery) {
        this.random = new Random(seed);
        this.callsLeft = calls;
        this.deathEvery = deathEvery;
        this.names = new ArrayList<>();
        for (int i = 0; i < keyCount; i++) {
            names.add("k" + i);
            keys.put("k" + i, new SimulatedKey(defect, random));
        }
        for (int i = 0; i < clients; i++) {
            Client client = new Client(i);
            later(random.nextInt(20) * MILLI, () -> next(client));
        }
        run();
    }

    ChaosHistory history() {
        return ChaosHistory.of(lines.stream()
                .sorted(Comparator.comparingLong(HistoryLine::stamp))
                .toList());
    }

    boolean hasStruck() {
        return keys.values().stream().anyMatch(SimulatedKey::hasStruck);
    }

    private long now;

    private void run() {
        while (!events.isEmpty()) {
            Event event = events.remove();
            now = event.at;
            event.action.run();
        }
    }

    private void later(long delay, Runnable action) {
        events.add(new Event(now + delay, order++, action));
    }

    private void next(Client client) {
        if (callsLeft-- <= 0) {
            return;
        }
        SimulatedKey key;
        if (client.token.isEmpty()) {
            client.key = names.get(random.nextInt(names.size()));
            key = keyOf(client);
            idle(client, key);
        } else {
            key = keyOf(client);
            holding(client, key, client.token);
        }
    }

    private SimulatedKey keyOf(Client client) {
        return Objects.requireNonNull(keys.get(client.key));
    }

    private void idle(Client client, SimulatedKey key) {
        int choice = random.nextInt(20);
        if (choice < 9) {
            String token = "t" + tokens++;
            call(
                    client,
                    "op=acquire token=" + token + " term=" + TERM,
                    () -> key.acquire(token, TERM, now),
                    answer -> client.token = answer.startsWith("out=granted") ? token : "");
        } else if (choice < 16) {
            call(client, "op=get", () -> key.get(now));
        } else if (choice < 18) {
            call(client, "op=reopen", key::reopen);
        } else {
            call(client, "op=evict", key::evict);
        }
    }

    private void holding(Client client, SimulatedKey key, String token) {
        int choice = random.nextInt(12);
        if (choice < 4) {
            String value = "v" + callsLeft;
            call(client, "op=update token=" + token + " value=" + value, () -> key.update(token, value));
        } else if (choice < 6) {
            call(client, "op=renew token=" + token + " term=" + TERM, () -> key.renew(token, TERM, now));
        } else if (choice < 7) {
            key.renewSilently(token, now);
            call(client, "op=get", () -> key.get(now));
        } else if (choice < 10) {
            client.token = "";
            call(client, "op=release token=" + token, () -> key.release(token));
        } else if (choice < 11) {
            client.token = "";
            call(client, "op=done token=" + token, () -> key.done(token));
        } else {
            client.token = ""; // Leaves the lease to expire.
            call(client, "op=get", () -> key.get(now));
        }
    }

    private void call(Client client, String text, Supplier<String> effect) {
        call(client, text, effect, answer -> {});
    }

    private void call(Client client, String text, Supplier<String> effect, Consumer<String> then) {
        String name = client.name();
        int number = ++client.calls;
        line(name, number, HistoryLine.Kind.CALL, text + " key=" + client.key);
        long before = random.nextInt(10) * MILLI;
        if (deathEvery > 0 && random.nextInt(deathEvery) == 0) {
            if (random.nextBoolean()) {
                later(random.nextInt(3) == 0 ? before + 2 * TERM : before, () -> {
                    String unused = effect.get();
                });
            }
            client.life++;
            client.token = "";
            later(before + 20 * MILLI, () -> next(client));
            return;
        }
        later(before, () -> {
            String answer = effect.get();
            later(random.nextInt(10) * MILLI, () -> {
                line(name, number, HistoryLine.Kind.ANSWER, answer);
                then.accept(answer);
                boolean pause = random.nextInt(12) == 0;
                later((pause ? 400 : random.nextInt(30)) * MILLI, () -> next(client));
            });
        });
    }

    private void line(String client, int call, HistoryLine.Kind kind, String fields) {
        lines.add(new HistoryLine(now, client, call, kind, FieldText.parse(fields.split(" ", -1), 0)));
    }
}
