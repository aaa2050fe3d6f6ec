package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.foreign.ForeignLayout;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.importing.ImportSource;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.UrlParameters;

/** Import sources that read the tables of other tools. */
public final class DynamoSources {
    private DynamoSources() {}

    /**
     * Opens the table that {@code url} names, for reading only.
     *
     * @param url the parameter {@code layout} may be omitted
     * @param namespace the namespace of keys in a table that has no namespaces
     * @throws IllegalArgumentException if the URL is invalid, names another layout, or a namespace is given and the
     * table has its own
     */
    public static ImportSource open(
            ForeignLayout layout, String url, HostEnvironment hostEnvironment, String namespace) {
        String word = UrlParameters.word(layout);
        boolean isNamed = url.matches(".*[?&]layout=.*");
        DynamoUrl parsed = DynamoUrl.parse(isNamed ? url : url + (url.contains("?") ? "&" : "?") + "layout=" + word);
        if (parsed.layout() != TableLayout.valueOf(layout.name())) {
            throw ArgumentCheck.bad("layout", UrlParameters.word(parsed.layout()), word + ", the layout to import");
        }
        DynamoTable dynamoTable = DynamoTable.open(parsed, hostEnvironment);
        try {
            return layout.source(dynamoTable, hostEnvironment, namespace);
        } catch (IllegalArgumentException e) {
            dynamoTable.close();
            throw e;
        }
    }
}
