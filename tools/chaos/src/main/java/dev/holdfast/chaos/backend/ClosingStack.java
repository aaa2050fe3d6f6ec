package dev.holdfast.chaos.backend;

import java.util.ArrayDeque;
import java.util.Deque;

/** Things to close, the last one first. One that fails does not keep the others open. */
final class ClosingStack implements AutoCloseable {
    private final Deque<AutoCloseable> things = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T thing) {
        things.push(thing);
        return thing;
    }

    @Override
    public void close() {
        while (!things.isEmpty()) {
            try {
                things.pop().close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                System.err.println("holdfast-chaos: cannot close: " + e);
            }
        }
    }
}
