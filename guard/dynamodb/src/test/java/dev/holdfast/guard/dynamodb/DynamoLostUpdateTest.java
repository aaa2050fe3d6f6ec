package dev.holdfast.guard.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dynamodb.LocalDynamo;
import dev.holdfast.guard.PausedProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A real process is stopped past its term, and continued: without a guard it destroys the update of the next holder. */
@Tag("slow")
class DynamoLostUpdateTest {
    @TempDir
    private Path folder;

    @Test
    void withoutAGuardAnUpdateIsLost() throws Exception {
        assertThat(stopPastTheTerm(false)).isEqualTo("written, 100"); // And not 107.
    }

    @Test
    void withAGuardNoUpdateIsLost() throws Exception {
        assertThat(stopPastTheTerm(true)).isEqualTo("refused, 7");
    }

    /** Adds 7 as the next holder while the first one is stopped. Returns the report of the first one, and the balance. */
    private String stopPastTheTerm(boolean guarded) throws Exception {
        try (GuardedTable table = GuardedTable.create(LocalDynamo.endpoint(), LocalDynamo.freshTable())) {
            table.client()
                    .putItem(request -> request.tableName(table.name())
                            .item(Map.of("id", AttributeValue.fromS("a"), "balance", GuardedTable.number(0))));
            String report = PausedProcess.stopPastTheTerm(
                    DynamoPausedHolder.class,
                    "sqlite:" + folder.resolve("leases.db"),
                    DynamoPausedHolder.KEY,
                    next -> assertThat(DynamoPausedHolder.write(table, next, guarded, 7))
                            .isEqualTo("written"),
                    LocalDynamo.endpoint().toString(),
                    table.name(),
                    String.valueOf(guarded));
            return report + ", " + table.attribute("a", "balance").n();
        }
    }
}
