/** Imports: where rows come from, where they go, and what is said of it. */
@NullMarked
package dev.holdfast.cli.importing;

import org.jspecify.annotations.NullMarked;
