/** The client process: its workload, its history, and the bugs that are planted in it. */
@NullMarked
package dev.holdfast.chaos.client;

import org.jspecify.annotations.NullMarked;
