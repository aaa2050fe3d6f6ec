@NullMarked
package dev.holdfast.server.security;

import org.jspecify.annotations.NullMarked;
