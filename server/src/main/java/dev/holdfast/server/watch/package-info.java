/** Watches, all served by one scan of the store and one copy of the statuses it finds. */
@NullMarked
package dev.holdfast.server.watch;

import org.jspecify.annotations.NullMarked;
