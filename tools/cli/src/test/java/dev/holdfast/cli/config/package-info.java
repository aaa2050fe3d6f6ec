@NullMarked
package dev.holdfast.cli.config;

import org.jspecify.annotations.NullMarked;
