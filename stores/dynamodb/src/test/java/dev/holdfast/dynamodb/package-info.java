/** Tests that need no service. */
@NullMarked
package dev.holdfast.dynamodb;

import org.jspecify.annotations.NullMarked;
