/** The DynamoDB tables of other tools. */
module dev.holdfast.dynamodb.layouts {
    requires transitive dev.holdfast;
    requires transitive dev.holdfast.dynamodb;

    exports dev.holdfast.dynamodb.layouts;

    provides dev.holdfast.dynamodb.LayoutSource with
            dev.holdfast.dynamodb.layouts.ForeignLayoutSource;
}
