/** Tools that the modules of Holdfast share: checks of arguments, URLs, cursors, wake-ups, futures. Not for users. */
@NullMarked
package dev.holdfast.support;

import org.jspecify.annotations.NullMarked;
