/** Auto-configuration for libraries that an application may have beside Holdfast: Micrometer and ShedLock. */
@NullMarked
package dev.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;
