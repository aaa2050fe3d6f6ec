/** Items of DynamoDB that refuse a fence older than the one they have. */
@NullMarked
package dev.holdfast.guard.dynamodb;

import org.jspecify.annotations.NullMarked;
