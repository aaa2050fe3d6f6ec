package dev.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A listener for the election and the loss of a leader. The application contends for the leadership from its start to its
 * stop, and the method is called when this instance is elected, or loses the leadership.
 *
 * <pre>{@code
 * @Leader("scheduler")
 * public void elected(LeaderEvent.Elected event) { ... }
 *
 * @Leader("scheduler")
 * public void lost(LeaderEvent.Lost event) { ... }
 * }</pre>
 *
 * <p>The type of the parameter selects the events: {@link LeaderEvent.Elected}, {@link LeaderEvent.Lost}, or {@link
 * LeaderEvent} for both. A method without a parameter is called on election.
 *
 * <ul>
 *   <li>On election, the methods run one after another on the thread of the leader. They may work for as long as this instance
 *       leads; the thread is interrupted when the leadership ends. The leadership lasts after they have returned.
 *   <li>If a method throws on election, this instance gives the leadership up, and contends again after a third of the term.
 *   <li>On loss, the methods run at once, even if a method of the election is still running. The next election waits for them.
 *   <li>There is exactly one loss for each election, also when the application stops.
 * </ul>
 *
 * <p>The same events are published as application events.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Leader {
    /**
     * The name of the election. If {@code holdfast.elections.NAME} is configured, its settings apply. Otherwise this is also
     * the key in the default store. Placeholders are resolved.
     */
    String value();
}
