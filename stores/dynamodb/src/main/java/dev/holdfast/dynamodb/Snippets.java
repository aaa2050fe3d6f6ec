package dev.holdfast.dynamodb;

/** The table of the native layout, as those describe it who do not create tables by hand. */
final class Snippets {
    private Snippets() {}

    static String of(DynamoUrl url) {
        Billing billing = Billing.of(url);
        return cloudFormation(url, billing) + "\n" + terraform(url, billing);
    }

    private static String cloudFormation(DynamoUrl url, Billing billing) {
        String throughput = billing.isProvisioned()
                ? """
                      BillingMode: PROVISIONED
                      ProvisionedThroughput:
                        ReadCapacityUnits: %d
                        WriteCapacityUnits: %d
                """.formatted(billing.read(), billing.write())
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
                """.formatted(url.table(), throughput, Attribute.KEY.text(), Attribute.TTL.text());
    }

    private static String terraform(DynamoUrl url, Billing billing) {
        String throughput = billing.isProvisioned()
                ? """
                  billing_mode   = "PROVISIONED"
                  read_capacity  = %d
                  write_capacity = %d
                """.formatted(billing.read(), billing.write())
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
                """.formatted(url.table(), throughput, Attribute.KEY.text(), Attribute.TTL.text());
    }
}
