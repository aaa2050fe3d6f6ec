package dev.holdfast.dynamodb;

import java.util.List;

/** Layouts of one module, which {@link java.util.ServiceLoader} finds. */
public interface LayoutSource {
    List<? extends TableLayout> layouts();
}
