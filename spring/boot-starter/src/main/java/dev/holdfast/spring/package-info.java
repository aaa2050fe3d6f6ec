/** Holdfast in a Spring Boot application: annotations, events, and the interfaces that beans implement. */
@NullMarked
package dev.holdfast.spring;

import org.jspecify.annotations.NullMarked;
