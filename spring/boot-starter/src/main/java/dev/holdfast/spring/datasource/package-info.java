/** The store of the application's own database: its settings, turned into the URL of a store. */
@NullMarked
package dev.holdfast.spring.datasource;

import org.jspecify.annotations.NullMarked;
