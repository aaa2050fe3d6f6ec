/** Tests beside other tools, on DynamoDB Local, with items written as the tools would write them. */
@NullMarked
package dev.holdfast.dynamodb.layouts;

import org.jspecify.annotations.NullMarked;
