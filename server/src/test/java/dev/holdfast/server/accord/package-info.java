@NullMarked
package dev.holdfast.server.accord;

import org.jspecify.annotations.NullMarked;
