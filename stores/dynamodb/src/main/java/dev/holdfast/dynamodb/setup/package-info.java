/** Creation, upgrade and check of tables. */
@NullMarked
package dev.holdfast.dynamodb.setup;

import org.jspecify.annotations.NullMarked;
