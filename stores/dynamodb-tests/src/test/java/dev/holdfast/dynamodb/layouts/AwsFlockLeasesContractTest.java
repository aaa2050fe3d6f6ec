package dev.holdfast.dynamodb.layouts;

class AwsFlockLeasesContractTest extends ForeignLeasesContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=awsflock", "lock_id");
    }
}
