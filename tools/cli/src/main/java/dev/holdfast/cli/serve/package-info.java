/**
 * The server and its tokens as commands. Other commands lack the server's libraries, so only {@code ServerLifecycle},
 * {@code DashboardLifecycle}, {@code PerimeterSettings} and {@code AccessTokenMaker} use them. {@code serve}, {@code ui} and
 * {@code token new} load these when they run.
 */
@NullMarked
package dev.holdfast.cli.serve;

import org.jspecify.annotations.NullMarked;
