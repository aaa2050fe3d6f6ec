/** The recent past of a server in bounded memory: rates, losses, waits; and the background count of keys. */
@NullMarked
package dev.holdfast.dashboard.activity;

import org.jspecify.annotations.NullMarked;
