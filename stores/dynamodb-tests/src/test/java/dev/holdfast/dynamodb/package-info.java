/** On DynamoDB Local: one server for all tests of a JVM, a table for each. */
@NullMarked
package dev.holdfast.dynamodb;

import org.jspecify.annotations.NullMarked;
