/** Tests on DynamoDB Local: one server for all tests of a JVM, and a table for each test. */
@NullMarked
package dev.holdfast.dynamodb;

import org.jspecify.annotations.NullMarked;
