/** The history of a key: its last grants, and how each of them ended. */
@NullMarked
package dev.holdfast.history;

import org.jspecify.annotations.NullMarked;
