@NullMarked
package dev.holdfast.server.auth;

import org.jspecify.annotations.NullMarked;
