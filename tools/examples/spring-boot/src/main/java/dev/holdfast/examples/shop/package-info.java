/** A Spring Boot application that runs in several instances. */
@NullMarked
package dev.holdfast.examples.shop;

import org.jspecify.annotations.NullMarked;
