/** Whether a server lives, and whether it is ready to serve: for those who start, watch and balance servers. */
@NullMarked
package dev.holdfast.server.health;

import org.jspecify.annotations.NullMarked;
