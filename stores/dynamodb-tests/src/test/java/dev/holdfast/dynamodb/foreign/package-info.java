/** Beside other tools, on DynamoDB Local: their items are written as they would write them. */
@NullMarked
package dev.holdfast.dynamodb.foreign;

import org.jspecify.annotations.NullMarked;
