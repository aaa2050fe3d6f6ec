/** Tests of Spring Boot applications that use Holdfast. */
@NullMarked
package dev.holdfast.spring.test;

import org.jspecify.annotations.NullMarked;
