package dev.holdfast.dynamodb.layouts;

import dev.holdfast.dynamodb.LayoutSource;
import java.util.List;

/** Makes the layouts of this module known to the DynamoDB store. */
public final class ForeignLayoutSource implements LayoutSource {
    @Override
    public List<ForeignLayout> layouts() {
        return List.of(ForeignLayout.values());
    }
}
