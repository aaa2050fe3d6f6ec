@NullMarked
package dev.holdfast.dashboard.activity;

import org.jspecify.annotations.NullMarked;
