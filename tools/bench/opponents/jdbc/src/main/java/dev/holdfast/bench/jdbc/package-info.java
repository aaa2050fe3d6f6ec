/** The contenders that use PostgreSQL by JDBC. */
@NullMarked
package dev.holdfast.bench.jdbc;

import org.jspecify.annotations.NullMarked;
