/** The latest states of keys, told to those who watch. One look at the store serves all who watch the same prefix. */
@NullMarked
package dev.holdfast.server.watch;

import org.jspecify.annotations.NullMarked;
