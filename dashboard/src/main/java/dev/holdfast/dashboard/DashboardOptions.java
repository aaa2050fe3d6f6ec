package dev.holdfast.dashboard;

import dev.holdfast.server.operations.ServerPerimeter;
import dev.holdfast.server.operations.ServerVitals;
import dev.holdfast.server.security.SessionTable;
import org.jspecify.annotations.Nullable;

/**
 * The surroundings of a dashboard.
 *
 * @param sessions null if the server does not authenticate its callers: then there is no log-in
 * @param version of Holdfast, shown to users
 * @param store a word for the kind of store, such as {@code sqlite}
 * @param title the name of the server, shown to users; empty for the address in the browser
 */
public record DashboardOptions(
        @Nullable SessionTable sessions, ServerVitals vitals, String version, String store, String title) {
    /** The options for a server with a perimeter. */
    public static DashboardOptions of(ServerPerimeter perimeter, String version, String store) {
        return new DashboardOptions(perimeter.sessions(), perimeter.vitals(), version, store, "");
    }
}
