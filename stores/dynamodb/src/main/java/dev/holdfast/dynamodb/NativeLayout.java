package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.store.HostEnvironment;
import dev.holdfast.store.LeaseStore;
import dev.holdfast.support.UrlParameters;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Holdfast's own layout: one item per entry. */
final class NativeLayout implements TableLayout {
    static final String WORD = "native";
    static final NativeLayout INSTANCE = new NativeLayout();

    private NativeLayout() {}

    @Override
    public String word() {
        return WORD;
    }

    @Override
    public Set<String> parameters() {
        return Set.of("judge", "skew", "billing", "read", "write", UrlParameters.HISTORY);
    }

    @Override
    public TableShape shape(UrlParameters url) {
        return new TableShape(List.of(ItemAttribute.KEY.text()), Optional.of(ItemAttribute.TTL.text()));
    }

    @Override
    public LeaseStore open(DynamoTable dynamoTable, HostEnvironment hostEnvironment) {
        return new NativeTableStore(dynamoTable, hostEnvironment);
    }

    @Override
    public boolean isCreatedByUs() {
        return true;
    }
}
