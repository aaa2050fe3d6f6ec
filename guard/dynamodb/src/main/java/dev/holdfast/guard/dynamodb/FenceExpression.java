package dev.holdfast.guard.dynamodb;

import dev.holdfast.Fence;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The expressions of a write, with the fence added: the caller's condition, names, values and update are kept.
 *
 * @param update the merged update expression; only for an update
 */
record FenceExpression(String condition, String update, Map<String, String> names, Map<String, AttributeValue> values) {
    /**
     * The keyword of a SET clause. A placeholder may contain the word, as {@code #set} or {@code :set}; a plain attribute name
     * may not, as it is reserved.
     */
    private static final Pattern SET = Pattern.compile("(?<![#:.\\w])SET(?!\\w)", Pattern.CASE_INSENSITIVE);

    /** The expressions of a caller's write; null where it has none. */
    record Original(
            @Nullable String condition,
            @Nullable String update,
            Map<String, String> names,
            Map<String, AttributeValue> values) {
        /** Whether a placeholder is defined or used. */
        private boolean has(String placeholder) {
            return names.containsKey(placeholder)
                    || values.containsKey(placeholder)
                    || (condition + " " + update).contains(placeholder);
        }

        private String free(String prefix) {
            String placeholder = prefix;
            for (int i = 2; has(placeholder); i++) {
                placeholder = prefix + i;
            }
            return placeholder;
        }
    }

    static FenceExpression merge(Original original, String attribute, Fence fence) {
        String name = original.free("#holdfast_fence");
        String value = original.free(":holdfast_fence");
        Map<String, String> names = new LinkedHashMap<>(original.names());
        names.put(name, attribute);
        Map<String, AttributeValue> values = new LinkedHashMap<>(original.values());
        values.put(value, number(fence));
        return new FenceExpression(
                condition(original.condition(), name, value), update(original.update(), name, value), names, values);
    }

    static AttributeValue number(Fence fence) {
        return AttributeValue.fromN(Long.toString(fence.value()));
    }

    private static String condition(@Nullable String original, String name, String value) {
        String passes = "(attribute_not_exists(" + name + ") OR " + name + " <= " + value + ")";
        return isBlank(original) ? passes : "(" + original + ") AND " + passes;
    }

    /** An update expression has each clause once at most, so a SET clause must be extended. */
    private static String update(@Nullable String original, String name, String value) {
        String assignment = "SET " + name + " = " + value;
        if (original == null || original.isBlank()) {
            return assignment;
        }
        Matcher set = SET.matcher(original);
        return set.find()
                ? original.substring(0, set.start()) + assignment + "," + original.substring(set.end())
                : assignment + " " + original;
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }
}
