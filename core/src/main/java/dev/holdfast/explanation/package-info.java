/** The answer to "why can't I get this key?": the holder, the line of waiting clients, and the earliest next grant. */
@NullMarked
package dev.holdfast.explanation;

import org.jspecify.annotations.NullMarked;
