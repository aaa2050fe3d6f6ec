package dev.holdfast.dashboard.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.Key;
import dev.holdfast.server.extension.ServedLeases;
import dev.holdfast.support.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The parts that the JSON of all views has in common. */
final class ViewJson {
    private ViewJson() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A head with the time of the server. */
    static ObjectNode head(ServedLeases served) {
        return object().put("at", time(now(served)));
    }

    static Instant now(ServedLeases served) {
        return served.service().environment().now();
    }

    static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    static String seconds(Duration duration) {
        return DurationText.seconds(duration.truncatedTo(ChronoUnit.MILLIS));
    }

    /** The id of the row of a key. */
    static String id(Key key) {
        return key.namespace() + "\0" + key.name();
    }

    static ObjectNode key(Key key) {
        return object().put("namespace", key.namespace()).put("name", key.name());
    }
}
