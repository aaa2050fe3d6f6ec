package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.UrlParameters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Layout of entries in a table. Holdfast's own is {@link NativeLayout}. Modules on the class path may add the layouts of other
 * tools, so that Holdfast can share their tables: see {@link LayoutSource}.
 */
@SuppressWarnings("exports") // The module of the layouts sees these types.
public interface TableLayout {
    /** Returns the layout that {@code url} names. */
    static TableLayout of(UrlParameters url) {
        String word = url.text("layout").orElse(NativeLayout.WORD);
        if (word.equals(NativeLayout.WORD)) {
            return NativeLayout.INSTANCE; // without the search, which takes time that a command does not have
        }
        List<TableLayout> others = new ArrayList<>();
        ServiceLoader.load(LayoutSource.class, TableLayout.class.getClassLoader())
                .forEach(source -> others.addAll(source.layouts()));
        return others.stream()
                .filter(layout -> layout.word().equals(word))
                .findFirst()
                .orElseThrow(() -> ArgumentCheck.bad("layout", word, expected(others)));
    }

    private static String expected(List<TableLayout> others) {
        if (others.isEmpty()) {
            return "one of native; others need holdfast-dynamodb-layouts on the class path";
        }
        List<String> words = new ArrayList<>(List.of(NativeLayout.WORD));
        others.forEach(layout -> words.add(layout.word()));
        return "one of " + String.join(", ", words);
    }

    /** Returns the name of this layout in a URL. */
    String word();

    /** Returns the URL parameters of this layout, in addition to the common ones. */
    Set<String> parameters();

    /**
     * Returns the required shape of the table.
     *
     * @throws IllegalArgumentException if a parameter is invalid
     */
    TableShape shape(UrlParameters url);

    /**
     * Opens the store, which closes {@code dynamoTable} when it is closed.
     *
     * @throws IllegalArgumentException if a parameter is invalid
     */
    LeaseStore open(DynamoTable dynamoTable, HostEnvironment hostEnvironment);

    /** Whether Holdfast creates such tables. Other tools create their own tables, unless they leave it to a command. */
    default boolean isCreatedByUs() {
        return false;
    }

    /**
     * Returns the time after which workers that stopped renewing lose their units. Applies if the rows of the table are
     * units that workers of another tool balance by themselves, without a planner; empty for all other layouts.
     */
    default Optional<Duration> workersExpireAfter(UrlParameters url) {
        return Optional.empty();
    }
}
