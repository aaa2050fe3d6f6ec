package dev.holdfast.dashboard.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The whole state of a view at one moment.
 *
 * @param head as JSON
 * @param comparedHead the head without the parts that change with every reading, such as the time; equal texts need not be sent
 * @param rows as JSON, by id, in their order
 * @param ordered whether readers need the order
 */
public record ViewState(String head, String comparedHead, Map<String, String> rows, boolean ordered) {
    /** A state whose head has a time, which alone is no news. */
    public static ViewState of(ObjectNode head, Map<String, String> rows) {
        return of(head, head, rows, true);
    }

    /** @param compared the parts of the head that are news if they change; its time is ignored */
    public static ViewState of(ObjectNode head, ObjectNode compared, Map<String, String> rows, boolean ordered) {
        ObjectNode timeless = compared.deepCopy();
        timeless.remove("at");
        return new ViewState(head.toString(), timeless.toString(), new LinkedHashMap<>(rows), ordered);
    }
}
