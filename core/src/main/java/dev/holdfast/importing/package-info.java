/**
 * Moving the data of another tool into a store of Holdfast's own: where rows come from, where they go, and a pass over all
 * of them.
 */
@NullMarked
package dev.holdfast.importing;

import org.jspecify.annotations.NullMarked;
