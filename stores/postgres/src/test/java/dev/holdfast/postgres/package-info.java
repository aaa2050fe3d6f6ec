/** The contracts, and tests specific to PostgreSQL, on a real server. */
@NullMarked
package dev.holdfast.postgres;

import org.jspecify.annotations.NullMarked;
