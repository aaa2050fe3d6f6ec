@NullMarked
package dev.holdfast.server.health;

import org.jspecify.annotations.NullMarked;
