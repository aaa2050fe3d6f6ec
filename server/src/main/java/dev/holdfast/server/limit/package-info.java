/** What one client, and all of them, can take of a server. Each limit has an error that says so, and is counted. */
@NullMarked
package dev.holdfast.server.limit;

import org.jspecify.annotations.NullMarked;
