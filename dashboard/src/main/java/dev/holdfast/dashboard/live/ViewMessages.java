package dev.holdfast.dashboard.live;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import com.linecorp.armeria.common.HttpData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages of a view as server-sent events. */
final class ViewMessages {
    private ViewMessages() {}

    /** The whole state, which replaces everything before. */
    static HttpData whole(ViewState state) {
        StringBuilder json = new StringBuilder("{\"reset\":true,\"head\":").append(state.head());
        rows(json, state.rows().entrySet());
        if (state.ordered()) {
            names(json, "order", state.rows().keySet());
        }
        return event(json.append('}'));
    }

    /**
     * The difference between two states; null if there is none.
     *
     * @param withHead whether to send the head even if only its time has changed
     */
    static @Nullable HttpData delta(ViewState before, ViewState after, boolean withHead) {
        List<Map.Entry<String, String>> changed = after.rows().entrySet().stream()
                .filter(row -> !row.getValue().equals(before.rows().get(row.getKey())))
                .toList();
        List<String> removed = before.rows().keySet().stream()
                .filter(id -> !after.rows().containsKey(id))
                .toList();
        boolean isReordered = after.ordered() && !sameOrder(before, after);
        boolean isNews = !changed.isEmpty()
                || !removed.isEmpty()
                || isReordered
                || !before.comparedHead().equals(after.comparedHead());
        if (!isNews && !withHead) {
            return null;
        }
        StringBuilder json = new StringBuilder("{\"head\":").append(after.head());
        if (!changed.isEmpty()) {
            rows(json, changed);
        }
        if (!removed.isEmpty()) {
            names(json, "removed", removed);
        }
        if (isReordered) {
            names(json, "order", after.rows().keySet());
        }
        return event(json.append('}'));
    }

    private static boolean sameOrder(ViewState before, ViewState after) {
        return new ArrayList<>(before.rows().keySet())
                .equals(new ArrayList<>(after.rows().keySet()));
    }

    static HttpData error(String title, String detail) {
        var json = JsonNodeFactory.instance.objectNode();
        json.putObject("error").put("title", title).put("detail", detail);
        return event(new StringBuilder(json.toString()));
    }

    private static void rows(StringBuilder json, Collection<Map.Entry<String, String>> rows) {
        json.append(",\"rows\":{");
        String separator = "";
        for (Map.Entry<String, String> row : rows) {
            json.append(separator)
                    .append(TextNode.valueOf(row.getKey()))
                    .append(':')
                    .append(row.getValue());
            separator = ",";
        }
        json.append('}');
    }

    private static void names(StringBuilder json, String field, Collection<String> names) {
        json.append(",\"").append(field).append("\":[");
        String separator = "";
        for (String name : names) {
            json.append(separator).append(TextNode.valueOf(name));
            separator = ",";
        }
        json.append(']');
    }

    private static HttpData event(StringBuilder json) {
        return HttpData.ofUtf8("data: " + json + "\n\n");
    }
}
