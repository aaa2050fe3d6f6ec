@NullMarked
package dev.holdfast.cli.fleet;

import org.jspecify.annotations.NullMarked;
