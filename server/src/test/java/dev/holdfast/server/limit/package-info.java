@NullMarked
package dev.holdfast.server.limit;

import org.jspecify.annotations.NullMarked;
