/** One table, its transport, its errors, and the requests that are sent to it. */
@NullMarked
package dev.holdfast.dynamodb.table;

import org.jspecify.annotations.NullMarked;
