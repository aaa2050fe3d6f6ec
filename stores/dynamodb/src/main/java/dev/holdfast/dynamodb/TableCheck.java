package dev.holdfast.dynamodb;

import dev.holdfast.StoreException;
import dev.holdfast.dynamodb.table.DynamoTable;
import dev.holdfast.dynamodb.table.ServiceClock;
import dev.holdfast.store.StoreSetup.Finding;
import dev.holdfast.store.StoreSetup.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/**
 * Check of a table for problems that could break a guarantee: a foreign table, replicas, a newer format, no time to
 * live, a clock that is off, missing permissions.
 */
final class TableCheck {
    /** Global tables of this version do not list their replicas. */
    private static final String UNLISTED = "2017.11.29";

    private final DynamoUrl url;
    private final TableSetup setup;
    private final DynamoTable dynamoTable;

    TableCheck(DynamoUrl url, TableSetup setup, DynamoTable dynamoTable) {
        this.url = url;
        this.setup = setup;
        this.dynamoTable = dynamoTable;
    }

    List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        Optional<TableDescription> description = describe(findings);
        if (description.isPresent()) {
            inspect(description.get(), findings);
        }
        if (findings.stream().noneMatch(it -> it.level() == Level.ERROR)) {
            timeToLive(findings);
            reading(findings);
            clock(findings);
        }
        return findings;
    }

    private Optional<TableDescription> describe(List<Finding> findings) {
        List<TableDescription> found = new ArrayList<>();
        ifPermitted(findings, text -> Finding.warning("the table cannot be described: " + text), () -> {
            setup.describe().ifPresent(found::add);
            if (found.isEmpty()) {
                findings.add(Finding.error("there is no table " + url.table()
                        + "; create it with: holdfast store init --store '" + url + "'"));
            }
        });
        return found.stream().findFirst();
    }

    /** Adds a finding if {@code check} is rejected, as for missing permissions. Other errors are thrown. */
    private static void ifPermitted(List<Finding> findings, Function<String, Finding> otherwise, Runnable check) {
        try {
            check.run();
        } catch (StoreException e) {
            if (e.isRetryable()) {
                throw e;
            }
            findings.add(otherwise.apply(String.valueOf(e.getMessage())));
        }
    }

    private void inspect(TableDescription description, List<Finding> findings) {
        boolean active =
                description.tableStatus() == TableStatus.ACTIVE || description.tableStatus() == TableStatus.UPDATING;
        findings.add(
                active
                        ? Finding.ok("the table " + url.table() + " is there")
                        : Finding.error("the table " + url.table() + " is " + description.tableStatusAsString()));
        findings.add(
                isOurs(url, description)
                        ? Finding.ok("its key is that of the " + url.layout().word() + " layout")
                        : Finding.error(otherKey(url, description)));
        findings.add(replicas(description));
    }

    /**
     * Normal replicas accept writes independently and exchange them later, and the last write wins. So a condition that
     * held in one region means nothing for another. Strongly consistent replicas check it against all regions.
     */
    private static Finding replicas(TableDescription description) {
        boolean isListed = !description.replicas().isEmpty();
        if (!isListed && !UNLISTED.equals(description.globalTableVersion())) {
            return Finding.ok("it has no replicas in other regions");
        }
        String where = isListed
                ? description.replicas().stream()
                        .map(ReplicaDescription::regionName)
                        .sorted()
                        .collect(Collectors.joining(", "))
                : "other regions";
        return description.multiRegionConsistency() == MultiRegionConsistency.STRONG
                ? Finding.ok("its replicas in " + where + " are strongly consistent")
                : Finding.error(
                        "it is a global table with replicas in " + where + " that are only eventually consistent:"
                                + " two regions can grant one key at the same time, because the last write wins (expected: a table in"
                                + " one region, or multi-region strong consistency)");
    }

    /** @throws StoreException if the table has another key */
    static void requireOurs(DynamoUrl url, TableDescription description) {
        if (!isOurs(url, description)) {
            throw StoreException.rejected(
                    "DynamoDB: the table " + url.table() + " is used for something else: " + otherKey(url, description),
                    null);
        }
    }

    private static boolean isOurs(DynamoUrl url, TableDescription description) {
        return keys(description).equals(url.shape().keys());
    }

    private static String otherKey(DynamoUrl url, TableDescription description) {
        return "its key is " + String.join(" and ", keys(description)) + " (expected: " + url.shape() + ")";
    }

    private static List<String> keys(TableDescription description) {
        return description.keySchema().stream()
                .map(KeySchemaElement::attributeName)
                .toList();
    }

    private void timeToLive(List<Finding> findings) {
        url.shape()
                .timeToLive()
                .ifPresent(wanted -> ifPermitted(
                        findings,
                        text -> Finding.warning("cannot check whether idle keys are removed: " + text),
                        () -> {
                            Optional<String> attribute = setup.timeToLive();
                            findings.add(
                                    attribute.filter(wanted::equals).isPresent()
                                            ? Finding.ok("idle keys are removed by their time to live")
                                            : Finding.warning("idle keys are never removed: the time to live is "
                                                    + attribute
                                                            .map(it -> "by " + it)
                                                            .orElse("off") + " (expected: by "
                                                    + wanted + "); holdfast store upgrade sets it"));
                        }));
    }

    /** Does not try to write, because a check changes nothing. */
    private void reading(List<Finding> findings) {
        ifPermitted(findings, Finding::error, () -> {
            FormatLimits limits = FormatLimits.of(dynamoTable);
            findings.add(Finding.ok("items can be read; whether they can be written is not tried"));
            if (url.layout() == NativeLayout.INSTANCE) {
                findings.add(format(limits));
            }
        });
    }

    private static Finding format(FormatLimits limits) {
        if (limits.isWritable()) {
            return Finding.ok("this version of Holdfast understands its format");
        }
        String text = "its format needs a newer version of Holdfast: " + limits.minReader() + " to read it, "
                + limits.minWriter() + " to write it (this one understands format " + FormatLimits.OWN + ")";
        return limits.isReadable() ? Finding.warning(text) : Finding.error(text);
    }

    private void clock(List<Finding> findings) {
        Optional<ServiceClock.Difference> difference = dynamoTable.clock().difference();
        Duration half = NativeTableStore.skew(url).dividedBy(2);
        if (difference.isEmpty()) {
            findings.add(Finding.warning("DynamoDB did not return its time"));
        } else if (dynamoTable.clock().isWithin(half)) {
            findings.add(Finding.ok("the clock of this machine is near that of DynamoDB: " + difference.get()));
        } else {
            findings.add(Finding.warning("the clock of this machine is " + difference.get()
                    + " of DynamoDB's: judge=stamp, and with it one-shot commands, will fail (expected: within "
                    + half.toMillis() + " ms)"));
        }
    }
}
