package dev.holdfast.cli.importing;

import dev.holdfast.dynamodb.layouts.ForeignLayout;
import dev.holdfast.dynamodb.layouts.ForeignRows;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.postgres.AccordHandles;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tools that data can be imported from, with their names on the command line. */
public enum ImportedTool {
    ACCORD("accord", null) {
        @Override
        public ImportSource open(String url, String namespace) {
            if (!namespace.isEmpty()) {
                throw new IllegalArgumentException(
                        "namespace: " + namespace + " (expected: none, because accord's handles have their own)");
            }
            if (!url.matches("(?i)postgres(ql)?://.*")) {
                throw bad(url, "postgresql://USER@HOST/DATABASE");
            }
            return AccordHandles.open(url);
        }
    },
    AWSFLOCK("awsflock", ForeignLayout.AWSFLOCK),
    TABLETHEORY("tabletheory", ForeignLayout.TABLETHEORY),
    KCL("kcl", ForeignLayout.KCL),
    LOCK_CLIENT("lock-client", ForeignLayout.LOCKCLIENT);

    private final String word;
    private final @Nullable ForeignLayout layout;

    /** @param layout the layout of the tool's DynamoDB table; null if its data is elsewhere */
    ImportedTool(String word, @Nullable ForeignLayout layout) {
        this.word = word;
        this.layout = layout;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ImportedTool::word).toList();
    }

    public static ImportedTool named(String word) {
        return Arrays.stream(values())
                .filter(tool -> tool.word.equals(word))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(word + " (expected: " + String.join(", ", words()) + ")"));
    }

    public String word() {
        return word;
    }

    /**
     * Opens the data of the tool.
     *
     * @param namespace the namespace for keys of a tool without namespaces
     * @throws IllegalArgumentException if the URL is invalid, or a namespace is given and the tool has its own
     */
    public ImportSource open(String url, String namespace) {
        if (!url.regionMatches(true, 0, "dynamodb:", 0, "dynamodb:".length())) {
            throw bad(url, "dynamodb://TABLE?region=REGION");
        }
        return ForeignRows.open(Objects.requireNonNull(layout), url, new CallerThreadEnvironment(), namespace);
    }

    /** The message shows only the scheme: the rest of the URL may contain a password. */
    IllegalArgumentException bad(String url, String expected) {
        int colon = url.indexOf(':');
        return new IllegalArgumentException(
                "URL: " + (colon < 0 ? url : url.substring(0, colon) + ":...") + " (expected: " + expected + ")");
    }
}
