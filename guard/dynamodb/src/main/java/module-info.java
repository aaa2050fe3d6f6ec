/** Items of DynamoDB that refuse an old fence. */
module dev.holdfast.guard.dynamodb {
    requires transitive dev.holdfast.guard;
    requires transitive software.amazon.awssdk.services.dynamodb;
    requires software.amazon.awssdk.awscore;
    requires software.amazon.awssdk.core;
    requires software.amazon.awssdk.utils;

    exports dev.holdfast.guard.dynamodb;
}
