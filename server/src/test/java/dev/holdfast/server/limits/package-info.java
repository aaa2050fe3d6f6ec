@NullMarked
package dev.holdfast.server.limits;

import org.jspecify.annotations.NullMarked;
