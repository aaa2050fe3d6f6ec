/** Tests beside other tools, on DynamoDB Local, with items written as the tools would write them. */
@NullMarked
package dev.holdfast.dynamodb.foreign;

import org.jspecify.annotations.NullMarked;
