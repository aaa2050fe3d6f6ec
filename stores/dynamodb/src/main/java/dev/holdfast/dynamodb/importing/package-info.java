/** Rows of other tools, read for an import. */
@NullMarked
package dev.holdfast.dynamodb.importing;

import org.jspecify.annotations.NullMarked;
