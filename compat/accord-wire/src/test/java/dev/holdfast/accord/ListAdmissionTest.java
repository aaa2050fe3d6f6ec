package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListAdmissionTest {
    private final List<String> begun = new ArrayList<>();
    private final ListAdmission turns = new ListAdmission(2, 2, 100);
    private final Runnable first = new Waiting("first");
    private final Runnable second = new Waiting("second");
    private final Runnable third = new Waiting("third");
    private final Runnable fourth = new Waiting("fourth");

    @Test
    void othersWaitUntilATurnEndsAndTooManyAreRejected() {
        assertThat(turns.enter(first)).isTrue();
        assertThat(turns.enter(second)).isTrue();
        assertThat(turns.isWanted()).isFalse();
        assertThat(turns.enter(third)).isTrue();
        assertThat(turns.enter(fourth)).isTrue();
        assertThat(turns.enter(new Waiting("fifth"))).isFalse();
        assertThat(begun).containsExactly("first", "second");
        assertThat(turns.isWanted()).isTrue();

        turns.leave();
        assertThat(begun).containsExactly("first", "second", "third");
        turns.leave();
        turns.leave();
        turns.leave();
        assertThat(begun).containsExactly("first", "second", "third", "fourth");
        assertThat(turns.isWanted()).isFalse();
    }

    @Test
    void aTurnThatIsPassedOnComesBackAfterTheOthers() {
        turns.enter(first);
        turns.pass(first);
        assertThat(begun).containsExactly("first", "first");

        turns.enter(second);
        turns.enter(third);
        turns.pass(first);
        assertThat(begun).containsExactly("first", "first", "second", "third");
        turns.leave();
        assertThat(begun).endsWith("third", "first");
    }

    @Test
    void aListThatLeavesTheQueueNeverBegins() {
        turns.enter(first);
        turns.enter(second);
        turns.enter(third);

        assertThat(turns.stopWaiting(third)).isTrue();
        turns.leave();
        assertThat(begun).containsExactly("first", "second");
        assertThat(turns.stopWaiting(second)).isFalse();
    }

    @Test
    void aParkedListGivesUpItsTurnAsLongAsThereIsRoomForItsUnsentBytes() {
        turns.enter(first);
        turns.enter(second);
        turns.enter(third);
        assertThat(turns.park(100)).isTrue();
        assertThat(begun).containsExactly("first", "second", "third");
        assertThat(turns.park(1)).isFalse();

        turns.unpark(100);
        assertThat(turns.park(1)).isTrue();
        turns.unpark(1);
        turns.enterAgain(fourth);
        assertThat(begun).endsWith("fourth");
    }

    /** Records that its turn has come. */
    private final class Waiting implements Runnable {
        private final String name;

        Waiting(String name) {
            this.name = name;
        }

        @Override
        public void run() {
            begun.add(name);
        }
    }
}
