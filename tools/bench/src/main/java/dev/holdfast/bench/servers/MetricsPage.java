package dev.holdfast.bench.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;

/** The metrics of a server in the text format of Prometheus. */
record MetricsPage(String text) {
    static MetricsPage read(String url) throws IOException {
        try (InputStream page = URI.create(url).toURL().openStream()) {
            return new MetricsPage(new String(page.readAllBytes(), UTF_8));
        }
    }

    /** The sum of a metric over all its labels. */
    long sum(String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
