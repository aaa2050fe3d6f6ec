@NullMarked
package dev.holdfast.cli.option;

import org.jspecify.annotations.NullMarked;
