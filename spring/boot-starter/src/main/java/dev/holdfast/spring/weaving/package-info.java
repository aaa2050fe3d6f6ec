/** Leases around annotated methods: checks at the start of the application, and the calls themselves. */
@NullMarked
package dev.holdfast.spring.weaving;

import org.jspecify.annotations.NullMarked;
