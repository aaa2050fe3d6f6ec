package dev.holdfast.chaos.client;

import java.nio.file.Path;
import java.util.List;

/**
 * The settings of one life of a client process, as its command line has them.
 *
 * @param name such as {@code c3.2}: client 3, second life
 * @param originNanos the reading of the machine's monotonic clock that counts as zero
 * @param rate the rate of the client's clocks
 * @param termMillis the shortest term of a lease
 * @param bug the name of a planted bug; empty for none
 * @param task the keys to acquire once, separated by commas; empty for the usual workload
 */
public record ClientSettings(
        String url,
        String name,
        long seed,
        Path resource,
        boolean guarded,
        long originNanos,
        double rate,
        int termMillis,
        String bug,
        String task) {
    public ClientSettings {
        if (!name.matches("c\\d+\\.\\d+")) {
            throw new IllegalArgumentException("name: " + name + " (expected: a client and a life, such as c3.2)");
        }
    }

    public List<String> arguments() {
        return List.of(
                url,
                name,
                Long.toString(seed),
                resource.toString(),
                Boolean.toString(guarded),
                Long.toString(originNanos),
                Double.toString(rate),
                Integer.toString(termMillis),
                bug,
                task);
    }

    static ClientSettings parse(String[] arguments) {
        return new ClientSettings(
                arguments[0],
                arguments[1],
                Long.parseLong(arguments[2]),
                Path.of(arguments[3]),
                Boolean.parseBoolean(arguments[4]),
                Long.parseLong(arguments[5]),
                Double.parseDouble(arguments[6]),
                Integer.parseInt(arguments[7]),
                arguments[8],
                arguments[9]);
    }
}
