package dev.holdfast.dynamodb.foreign;

class AwsFlockLeasesContractTest extends ForeignLeasesContract {
    @Override
    ForeignTable table() {
        return new ForeignTable("layout=awsflock", "lock_id");
    }
}
