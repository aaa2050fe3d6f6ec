/** The contracts, and what is PostgreSQL's own, on a real server. */
@NullMarked
package dev.holdfast.postgres;

import org.jspecify.annotations.NullMarked;
