package dev.holdfast.bench.contender;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a contender's process. Its argument is a message with the settings. It answers every line of
 * its input with a line, and ends when its input ends.
 */
public final class ContenderProcess {
    private final ContenderFactory factory;
    private final ContenderSettings settings;
    private final OverlapWitness witness;
    private final LockContender contender;
    private final BatonTurn baton;
    private @Nullable HoldingTurn holding;

    private ContenderProcess(TurnMessage arguments) throws Exception {
        factory = ServiceLoader.load(ContenderFactory.class).findFirst().orElseThrow();
        settings = new ContenderSettings(
                arguments.text("opponent"),
                arguments.text("url"),
                arguments.text("worker"),
                Duration.ofMillis(arguments.number("termMillis")),
                false);
        witness = new OverlapWitness(Path.of(arguments.text("witness")));
        contender = factory.open(settings);
        baton = new BatonTurn(contender, witness);
    }

    public static void main(String[] args) throws Exception {
        // Libraries may print; only answers belong into the output.
        PrintStream answers = System.out;
        System.setOut(System.err);
        ContenderProcess process = new ContenderProcess(TurnMessage.parse(args[0]));
        answers.println(process.ready());
        process.serve(answers);
        // Clients leave threads behind.
        Runtime.getRuntime().halt(0);
    }

    private TurnMessage ready() {
        return TurnMessage.of("ok").with("async", contender.async().isPresent()).with("once", contender.hasDone());
    }

    private void serve(PrintStream answers) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answers.println(answer(TurnMessage.parse(line)));
        }
    }

    private TurnMessage answer(TurnMessage request) {
        TurnMessage answer;
        try {
            answer = run(request);
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            return TurnMessage.of("failed").with("reason", e + " at " + Arrays.toString(e.getStackTrace()));
        }
        return witness.overlap().isEmpty() ? answer : TurnMessage.of("overlap").with("reason", witness.overlap());
    }

    private TurnMessage run(TurnMessage request) throws Exception {
        return switch (request.verb()) {
            case "pairs" -> pairs(request);
            case "hot" ->
                new HotTurn(contender, witness, Duration.ofMillis(request.number("hold")))
                        .run(request.text("name"), (int) request.number("callers"), request.number("millis"));
            case "hold" -> hold(request);
            case "counts" -> counts();
            case "probe" -> TurnMessage.of("ok").with("lost", held().countLost());
            case "await" ->
                TurnMessage.of("ok")
                        .with("nanos", baton.await(request.text("name"), Duration.ofMillis(request.number("millis"))));
            case "release" -> TurnMessage.of("ok").with("nanos", baton.release());
            default -> throw new IllegalArgumentException(request.toString());
        };
    }

    private TurnMessage pairs(TurnMessage request) throws Exception {
        PairsTurn turn = new PairsTurn(contender, witness, request.isTrue("once"), request.text("name"));
        int callers = (int) request.number("callers");
        CallerLoad load = request.isTrue("async")
                ? turn.asynchronously(callers, request.number("millis"))
                : turn.onThreads(callers, request.number("millis"));
        return TurnMessage.of("ok")
                .with("rate", String.format(Locale.ROOT, "%.1f", load.perSecond()))
                .with("durations", load.durations());
    }

    private TurnMessage hold(TurnMessage request) throws Exception {
        holding = new HoldingTurn(factory, settings, request.text("name"), (int) request.number("locks"));
        holding.acquire((int) request.number("workers"));
        return TurnMessage.of("ok");
    }

    private TurnMessage counts() throws Exception {
        StoreCounts counts = holding == null ? contender.counts() : holding.counts();
        return TurnMessage.of("ok").with("requests", counts.requests()).with("writes", counts.writes());
    }

    private HoldingTurn held() {
        if (holding == null) {
            throw new IllegalStateException("no locks are held");
        }
        return holding;
    }
}
