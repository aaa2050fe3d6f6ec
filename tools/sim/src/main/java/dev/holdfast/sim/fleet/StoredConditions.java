package dev.holdfast.sim.fleet;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import dev.holdfast.fleet.LabelConditions;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The conditions of a unit as a checker reads them: not by the code under test. */
final class StoredConditions {
    private StoredConditions() {}

    static LabelConditions required(Attributes attributes) {
        Map<String, SortedSet<String>> accepted = new TreeMap<>();
        if (attributes.get("require").orElse(null) instanceof AttributeValue.MapOf map) {
            map.entries().forEach((label, value) -> {
                SortedSet<String> texts = new TreeSet<>();
                if (value instanceof AttributeValue.Text text) {
                    texts.add(text.value());
                } else if (value instanceof AttributeValue.ListOf list) {
                    list.values().forEach(each -> texts.add(((AttributeValue.Text) each).value()));
                }
                accepted.put(label, texts);
            });
        }
        return new LabelConditions(accepted);
    }
}
