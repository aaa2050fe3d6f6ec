/** Protection from web pages: the names that requests may address a server by, and the pages that may send them. */
@NullMarked
package dev.holdfast.server.host;

import org.jspecify.annotations.NullMarked;
