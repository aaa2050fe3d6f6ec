package dev.holdfast.spring.weaving;

import java.time.Duration;

/** The values of attributes that an annotation does not set. */
public record AnnotationDefaults(Duration waitFor, Duration term) {}
