/** Auto-configuration for libraries that an application may have beside Holdfast: Micrometer and ShedLock. */
@NullMarked
package dev.holdfast.spring.bridges;

import org.jspecify.annotations.NullMarked;
