/** Watches: one scan of the store, and one copy of the statuses it finds, serve all of them. */
@NullMarked
package dev.holdfast.server.watch;

import org.jspecify.annotations.NullMarked;
