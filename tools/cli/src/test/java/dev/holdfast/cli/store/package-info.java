@NullMarked
package dev.holdfast.cli.store;

import org.jspecify.annotations.NullMarked;
