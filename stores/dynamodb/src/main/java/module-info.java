/** The store on a DynamoDB table. Applications open it by its URL. */
// The module of the layouts depends on this one, so the compiler cannot see it yet.
@SuppressWarnings("module")
module dev.holdfast.dynamodb {
    requires transitive dev.holdfast;
    requires software.amazon.awssdk.awscore;
    requires software.amazon.awssdk.core;
    requires software.amazon.awssdk.http;
    requires static software.amazon.awssdk.http.apache5;
    requires static software.amazon.awssdk.http.urlconnection;
    requires software.amazon.awssdk.regions;
    requires software.amazon.awssdk.retries.api;
    requires transitive software.amazon.awssdk.services.dynamodb;

    exports dev.holdfast.dynamodb;
    exports dev.holdfast.dynamodb.table to
            dev.holdfast.dynamodb.layouts;

    uses dev.holdfast.dynamodb.LayoutSource;

    provides dev.holdfast.store.StoreProvider with
            dev.holdfast.dynamodb.DynamoStoreProvider;
}
