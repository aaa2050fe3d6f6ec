/** Internal to Holdfast: anything here may change in any release. */
@NullMarked
package dev.holdfast.internal;

import org.jspecify.annotations.NullMarked;
