package dev.holdfast.bench.compare;

import dev.holdfast.bench.contender.DurationHistogram;
import dev.holdfast.bench.contender.TurnMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Load 4: a lock passes to a waiter in another process, by a release, or because its holder is killed. */
record HandOverLoad(CompareOptions options) implements CompareLoad {
    /** How long a waiter waits before the release. The length must not be in step with clients that poll. */
    private static final Pause MEASURED = new Pause(10, 50);

    /** In the warm-up, so that a JVM sees thousands of hand-overs, and compiles. */
    private static final Pause WARM_UP = new Pause(1, 3);

    private static final int PASSES_OF_WARM_UP = 100;

    private static final LoadCell RELEASED = new LoadCell("released", 0, false);
    private static final LoadCell KILLED = new LoadCell("holder killed", 0, false);

    @Override
    public String title() {
        return "4 hand-over to a waiter in another process, term "
                + options.killTerm().toSeconds() + " s";
    }

    @Override
    public List<LoadCell> cells() {
        return options.kills() == 0 ? List.of(RELEASED) : List.of(RELEASED, KILLED);
    }

    @Override
    public LoadStand open(Contestant contestant) throws Exception {
        Stand stand = new Stand(contestant);
        // A pass takes a hundredth of a second at most; the slowest clients poll.
        new WarmUp(options.warmUpSeconds())
                .run(second -> 1.0 / stand.pass(PASSES_OF_WARM_UP, WARM_UP).quantileMicros(0.5));
        return stand;
    }

    private final class Stand implements LoadStand {
        private final Contestant contestant;
        private final ContestantProcess first;
        private final ContestantProcess second;
        private int names;

        Stand(Contestant contestant) throws Exception {
            this.contestant = contestant;
            first = contestant.client("first", options.killTerm());
            second = contestant.client("second", options.killTerm());
        }

        @Override
        public Map<String, Double> measure(LoadCell cell, int round) throws Exception {
            Map<String, Double> figures = new LinkedHashMap<>();
            if (cell.equals(RELEASED)) {
                DurationHistogram waits = pass(options.passes(), MEASURED);
                figures.put("p50 ms", waits.quantileMicros(0.5) / 1e3);
                figures.put("p99 ms", waits.quantileMicros(0.99) / 1e3);
            } else {
                long latest = Long.MIN_VALUE;
                DurationHistogram waits = new DurationHistogram();
                for (int i = 0; i < options.kills(); i++) {
                    latest = Math.max(latest, kill(waits));
                }
                figures.put("p50 ms", waits.quantileMicros(0.5) / 1e3);
                figures.put("p99 ms", waits.quantileMicros(0.99) / 1e3);
                figures.put("latest, ms after the term of the last grant", latest / 1e6);
            }
            return figures;
        }

        /** Passes locks between the two processes, in turn. Returns the times from release to grant. */
        DurationHistogram pass(int count, Pause pause) throws IOException, InterruptedException {
            DurationHistogram waits = new DurationHistogram();
            for (int i = 0; i < count; i++) {
                ContestantProcess holder = i % 2 == 0 ? first : second;
                ContestantProcess waiter = i % 2 == 0 ? second : first;
                TurnMessage await = await();
                holder.ask(await);
                waiter.send(await);
                pause.sleep();
                long released = holder.ask(TurnMessage.of("release")).number("nanos");
                waits.add(waiter.answer().number("nanos") - released);
                waiter.ask(TurnMessage.of("release"));
            }
            return waits;
        }

        /** Kills a holder. Returns by how many nanoseconds the waiter was granted later than the term after the grant. */
        private long kill(DurationHistogram waits) throws Exception {
            try (ContestantProcess holder = contestant.client("killed-" + names, options.killTerm())) {
                TurnMessage await = await();
                long granted = holder.ask(await).number("nanos");
                first.send(await);
                new Pause(200, 200 + options.killTerm().toMillis() / 4).sleep();
                long killed = System.nanoTime();
                holder.kill();
                long taken = first.answer().number("nanos");
                waits.add(taken - killed);
                first.ask(TurnMessage.of("release"));
                return taken - granted - options.killTerm().toNanos();
            }
        }

        private TurnMessage await() {
            Duration most = options.killTerm().multipliedBy(5).plusSeconds(10);
            return TurnMessage.of("await").with("name", "baton-" + names++).with("millis", most.toMillis());
        }

        @Override
        public void close() throws IOException {
            first.close();
            second.close();
        }
    }

    /** A pause of random length, in milliseconds. */
    private record Pause(long least, long most) {
        void sleep() throws InterruptedException {
            TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextLong(least * 1000, most * 1000));
        }
    }
}
