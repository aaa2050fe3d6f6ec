/** Scans in pages, in an order that no write changes. */
@NullMarked
package dev.holdfast.sqlite.scan;

import org.jspecify.annotations.NullMarked;
