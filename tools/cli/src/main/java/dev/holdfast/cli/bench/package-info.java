/** Load test of a store. */
@NullMarked
package dev.holdfast.cli.bench;

import org.jspecify.annotations.NullMarked;
