@NullMarked
package dev.holdfast.server.operations;

import org.jspecify.annotations.NullMarked;
