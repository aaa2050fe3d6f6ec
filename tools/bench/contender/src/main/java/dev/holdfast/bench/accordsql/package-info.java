/** The statements that accord's server sends to PostgreSQL, for the programs that repeat them. */
@NullMarked
package dev.holdfast.bench.accordsql;

import org.jspecify.annotations.NullMarked;
