package dev.holdfast.guard.dynamodb;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.guard.PausedProcess;
import dev.holdfast.guard.StaleFenceException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A process that adds 100 to a balance under a lease, as a program does that trusts its lease: it reads the balance, checks that
 * it holds the lease, and writes. The test pauses it between the check and the write.
 */
final class DynamoPausedHolder {
    static final Key KEY = Key.of("accounts", "1");

    private DynamoPausedHolder() {}

    /** Arguments: the store of leases, the address of DynamoDB, the table, and whether to use the guard. */
    public static void main(String[] args) throws Exception {
        boolean guarded = Boolean.parseBoolean(args[3]);
        try (Leases leases = Holdfast.open(args[0]);
                GuardedTable table = GuardedTable.open(URI.create(args[1]), args[2])) {
            AcquireOptions brief = AcquireOptions.defaults().term(Duration.ofSeconds(2));
            Lease lease = leases.acquire(KEY, brief, Duration.ofSeconds(60)).orThrow();
            int balance = Integer.parseInt(table.attribute("a", "balance").n());
            PausedProcess.pauseHere(lease.isHeld()); // For longer than the term.
            System.out.println(write(table, lease, guarded, balance + 100));
        }
    }

    static String write(GuardedTable table, Lease lease, boolean guarded, int balance) {
        UpdateItemRequest request = UpdateItemRequest.builder()
                .tableName(table.name())
                .key(GuardedTable.key("a"))
                .updateExpression("SET balance = :balance")
                .expressionAttributeValues(Map.of(":balance", GuardedTable.number(balance)))
                .build();
        try {
            send(table, DynamoFenceGuard.of(lease), guarded, request);
            return "written";
        } catch (StaleFenceException e) {
            return "refused";
        }
    }

    private static void send(GuardedTable table, DynamoFenceGuard guard, boolean guarded, UpdateItemRequest request) {
        try {
            table.client().updateItem(guarded ? guard.guarded(request) : request);
        } catch (ConditionalCheckFailedException e) {
            throw guard.explain(e);
        }
    }
}
