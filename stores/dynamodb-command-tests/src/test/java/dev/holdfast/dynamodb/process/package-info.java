/** Tests of the command as users have it, on DynamoDB Local. */
@NullMarked
package dev.holdfast.dynamodb.process;

import org.jspecify.annotations.NullMarked;
