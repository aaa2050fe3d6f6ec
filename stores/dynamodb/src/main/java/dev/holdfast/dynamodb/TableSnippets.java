package dev.holdfast.dynamodb;

import dev.holdfast.support.ArgumentCheck;

/** Definitions of the native table for infrastructure-as-code tools. */
final class TableSnippets {
    private TableSnippets() {}

    static String of(DynamoUrl url) {
        if (url.layout() != NativeLayout.INSTANCE) {
            throw ArgumentCheck.bad("layout", url.layout().word(), "native: other tools create their own tables");
        }
        TableBilling tableBilling = TableBilling.of(url);
        return cloudFormation(url, tableBilling) + "\n" + terraform(url, tableBilling);
    }

    private static String cloudFormation(DynamoUrl url, TableBilling tableBilling) {
        String throughput = tableBilling.isProvisioned()
                ? """
                      BillingMode: PROVISIONED
                      ProvisionedThroughput:
                        ReadCapacityUnits: %d
                        WriteCapacityUnits: %d
                """.formatted(tableBilling.read(), tableBilling.write())
                : "      BillingMode: PAY_PER_REQUEST\n";
        return """
                # CloudFormation
                Resources:
                  HoldfastTable:
                    Type: AWS::DynamoDB::Table
                    DeletionPolicy: Retain
                    Properties:
                      TableName: "%1$s"
                %2$s      AttributeDefinitions:
                        - AttributeName: %3$s
                          AttributeType: S
                      KeySchema:
                        - AttributeName: %3$s
                          KeyType: HASH
                      TimeToLiveSpecification:
                        AttributeName: %4$s
                        Enabled: true
                """.formatted(url.table(), throughput, ItemAttribute.KEY.text(), ItemAttribute.TTL.text());
    }

    private static String terraform(DynamoUrl url, TableBilling tableBilling) {
        String throughput = tableBilling.isProvisioned()
                ? """
                  billing_mode   = "PROVISIONED"
                  read_capacity  = %d
                  write_capacity = %d
                """.formatted(tableBilling.read(), tableBilling.write())
                : "  billing_mode   = \"PAY_PER_REQUEST\"\n";
        return """
                # Terraform
                resource "aws_dynamodb_table" "holdfast" {
                  name           = "%1$s"
                %2$s  hash_key       = "%3$s"

                  attribute {
                    name = "%3$s"
                    type = "S"
                  }

                  ttl {
                    attribute_name = "%4$s"
                    enabled        = true
                  }
                }
                """.formatted(url.table(), throughput, ItemAttribute.KEY.text(), ItemAttribute.TTL.text());
    }
}
