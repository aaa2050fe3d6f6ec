/** The seam of a server: additions around its services, and further protocols on its port. */
@NullMarked
package dev.holdfast.server.extension;

import org.jspecify.annotations.NullMarked;
