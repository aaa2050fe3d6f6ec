package dev.holdfast.bench.compare;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The options of a run.
 *
 * @param loads the numbers of the loads
 * @param baseline the opponent that ratios are beside
 * @param rounds how often every opponent takes its turn
 * @param seconds the length of a turn
 * @param warmUpSeconds the longest warm-up of a process
 * @param callers the numbers of concurrent callers of loads 1 and 5
 * @param leases the numbers of leases of load 3
 * @param holdSeconds how long load 3 watches them
 * @param passes how often load 4 passes a lock on in a turn
 * @param kills how many holders load 4 kills in a turn
 * @param term the term of locks in loads 1, 2, 3 and 5
 * @param killTerm the term of locks whose holder is killed
 * @param isSmoke whether only to see that everything runs
 * @param out the folder for the results
 */
record CompareOptions(
        List<Integer> loads,
        List<Opponent> opponents,
        Opponent baseline,
        int rounds,
        int seconds,
        int warmUpSeconds,
        List<Integer> callers,
        List<Integer> leases,
        int holdSeconds,
        int passes,
        int kills,
        Duration term,
        Duration killTerm,
        boolean isSmoke,
        Path out) {
    /** The number of the load that measures memory, which only growth has. */
    static final int MEMORY = 6;

    static final String USAGE = """
            holdfast-bench compare [options]   runs the loads on every opponent in turn, and prints a table
            holdfast-bench growth [options]    plots throughput over callers, and memory over held leases
              --loads 1,2,3,4,5                1 pairs, 2 hot key, 3 holding, 4 hand-over, 5 process once
              --opponents A,B,...              default: all
              --baseline A                     ratios are beside this opponent; default: redis-set-nx
                                               (growth: holdfast-sqlite)
              --rounds N                       default: 5
              --seconds N                      length of a turn; default: 5
              --warm-up N                      longest warm-up of a process in seconds; default: 60
              --callers 1,4,16,64,256          for loads 1 and 5
              --leases 10000,100000            for load 3
              --hold N                         seconds of load 3; default: 60
              --passes N, --kills N            for load 4, in a turn; default: 100 and 2
              --smoke                          one short round, to see that everything runs
              --out DIR                        for figures.csv and plots; default: target/compare
            """;

    /** @param growth whether to measure how the cost of Holdfast grows, instead of a comparison */
    static CompareOptions parse(List<String> arguments, boolean growth) {
        OptionReader given = new OptionReader(arguments);
        boolean smoke = given.flag("--smoke");
        CompareOptions options = new CompareOptions(
                given.numbers("--loads", growth ? "1,6" : smoke ? "1,5" : "1,2,3,4,5"),
                opponents(given.text("--opponents", ""), growth),
                Opponent.of(given.text("--baseline", (growth ? Opponent.HOLDFAST_SQLITE : Opponent.REDIS_SET_NX).id)),
                given.number("--rounds", smoke ? 1 : 5),
                given.number("--seconds", smoke ? 1 : 5),
                given.number("--warm-up", smoke ? 0 : 60),
                given.numbers("--callers", smoke ? "4" : "1,4,16,64,256"),
                given.numbers("--leases", smoke ? "1000" : growth ? "10000,100000,1000000" : "10000,100000"),
                given.number("--hold", smoke ? 3 : 60),
                given.number("--passes", smoke ? 5 : 100),
                given.number("--kills", smoke ? 1 : 2),
                Duration.ofSeconds(30),
                Duration.ofSeconds(smoke ? 3 : 10),
                smoke,
                Path.of(given.text("--out", "target/compare")));
        given.rejectRest();
        return options;
    }

    private static List<Opponent> opponents(String names, boolean growth) {
        if (names.isEmpty()) {
            return Opponent.all().stream()
                    .filter(opponent -> !growth || opponent.isOurs())
                    .toList();
        }
        return Arrays.stream(names.split(",", -1)).map(Opponent::of).toList();
    }
}
