package dev.holdfast.dynamodb;

import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.UrlParameters;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;

/**
 * Billing of a new table: {@code billing=on-demand} (the default) per request, or {@code
 * billing=provisioned&read=5&write=5} per hour, for that many units a second.
 */
record TableBilling(boolean isProvisioned, int read, int write) {
    /** More than any table of leases needs. Rejecting a typing error is cheaper than paying for it. */
    private static final int MOST_UNITS = 40_000;

    static TableBilling of(DynamoUrl url) {
        UrlParameters given = url.parameters();
        String billing = given.text("billing").orElse("on-demand");
        if (!billing.equals("on-demand") && !billing.equals("provisioned")) {
            throw ArgumentCheck.bad("billing", billing, "on-demand or provisioned");
        }
        boolean provisioned = billing.equals("provisioned");
        boolean units = given.text("read").isPresent() || given.text("write").isPresent();
        if (!provisioned && units) {
            throw ArgumentCheck.bad("billing", billing, "provisioned, as read or write units are given");
        }
        return new TableBilling(
                provisioned, given.number("read", 5, 1, MOST_UNITS), given.number("write", 5, 1, MOST_UNITS));
    }

    void applyTo(CreateTableRequest.Builder request) {
        if (isProvisioned) {
            request.billingMode(BillingMode.PROVISIONED)
                    .provisionedThroughput(
                            units -> units.readCapacityUnits((long) read).writeCapacityUnits((long) write));
        } else {
            request.billingMode(BillingMode.PAY_PER_REQUEST);
        }
    }

    @Override
    public String toString() {
        return isProvisioned ? "provisioned, " + read + " read and " + write + " write units" : "on demand";
    }
}
