package dev.holdfast.judges;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules for the protected resource, each kept and broken. */
class WitnessJudgeTest {
    private final HistoryScript script = new HistoryScript();

    private List<String> broken(boolean guarded, String... witness) {
        WitnessLog log =
                WitnessLog.of(Arrays.stream(witness).map(WitnessLine::parse).toList());
        return WitnessJudge.judge(script.history(), log, guarded).violations().stream()
                .map(JudgedViolation::rule)
                .toList();
    }

    @Nested
    class Exclusion {
        @Test
        void holdersMayFollowEachOther() {
            script.granted("a", 0, 1, "A", 1)
                    .believed("a", 2, 3, 1)
                    .believed("a", 90, 110, 1)
                    .granted("b", 100, 101, "B", 2)
                    .believed("b", 102, 103, 2);
            assertThat(broken(true)).isEmpty();
        }

        @Test
        void twoHoldersAtOnceAreFound() {
            script.granted("a", 0, 1, "A", 1)
                    .granted("b", 100, 101, "B", 2)
                    .believed("b", 102, 103, 2)
                    .believed("a", 104, 105, 1);
            assertThat(broken(true)).containsExactly("two holders at once");
        }

        @Test
        void aFenceThatOthersSawIsEvidenceOfTheNextGrant() {
            script.granted("a", 0, 1, "A", 1)
                    .lostAcquire("b", 100, "B")
                    .read("c", 102, 103, "HELD", 2, "")
                    .believed("a", 104, 105, 1);
            assertThat(broken(true)).containsExactly("two holders at once");
        }

        @Test
        void anEvictionByForceIsExempt() {
            script.granted("a", 0, 1, "A", 1)
                    .unanswered("o", 2, "op=evict")
                    .granted("b", 3, 4, "B", 2)
                    .believed("b", 5, 6, 2)
                    .believed("a", 7, 8, 1);
            assertThat(broken(true)).isEmpty();
        }

        @Test
        void anEvictionOfAnEarlierGrantExcusesNothing() {
            script.granted("z", 0, 1, "Z", 1)
                    .call("o", 2, 3, "op=evict", "out=ok")
                    .granted("a", 4, 5, "A", 2)
                    .granted("b", 100, 101, "B", 3)
                    .believed("a", 104, 105, 2);
            assertThat(broken(true)).containsExactly("two holders at once");
        }

        @Test
        void aWriteOfAStoppedProcessIsNoBelief() {
            script.granted("a", 0, 1, "A", 1)
                    .granted("b", 100, 101, "B", 2)
                    .call("a", 110, 111, "op=write fence=1", "out=ok before=0 after=1");
            assertThat(broken(true, "1 write key=k1 fence=1 client=a before=0 after=1"))
                    .isEmpty();
        }
    }

    @Nested
    class Fences {
        @Test
        void aRepeatedFenceIsFound() {
            script.granted("a", 0, 1, "A", 1).granted("b", 100, 101, "B", 1);
            assertThat(broken(true)).containsExactly("fences of grants do not grow");
        }

        @Test
        void aFenceThatGoesDownIsFound() {
            script.granted("a", 0, 1, "A", 3).granted("b", 100, 101, "B", 2);
            assertThat(broken(true)).containsExactly("fences of grants do not grow");
        }

        @Test
        void concurrentGrantsMayBeAnsweredInAnyOrder() {
            script.granted("a", 0, 200, "A", 3).granted("b", 100, 101, "B", 2);
            assertThat(broken(true)).isEmpty();
        }

        @Test
        void aGuardedResourceKeepsItsFence() {
            script.call("a", 0, 1, "op=work fence=2", "out=ok").call("b", 2, 3, "op=work fence=1", "out=ok");
            String[] witness = {"1 work key=k1 fence=2 client=a", "2 work key=k1 fence=1 client=b"};
            assertThat(broken(true, witness)).containsExactly("the fence at the resource went down");
            assertThat(broken(false, witness)).isEmpty();
        }
    }

    @Nested
    class Changes {
        @Test
        void aChainOfWritesIsAccepted() {
            script.call("a", 0, 1, "op=write fence=1", "out=ok before=0 after=1")
                    .unanswered("a", 2, "op=write fence=1")
                    .call("b", 5, 6, "op=write fence=2", "out=ok before=2 after=3")
                    .call("a", 7, 8, "op=write fence=1", "out=rejected");
            assertThat(broken(
                            true,
                            "1 write key=k1 fence=1 client=a before=0 after=1",
                            "2 write key=k1 fence=1 client=a before=1 after=2",
                            "3 write key=k1 fence=2 client=b before=2 after=3"))
                    .isEmpty();
        }

        @Test
        void aLostUpdateIsFound() {
            script.call("a", 0, 9, "op=write fence=1", "out=ok before=0 after=1")
                    .call("b", 5, 6, "op=write fence=2", "out=ok before=0 after=1");
            assertThat(broken(
                            false,
                            "1 write key=k1 fence=2 client=b before=0 after=1",
                            "2 write key=k1 fence=1 client=a before=0 after=1"))
                    .containsExactly("lost update");
        }

        @Test
        void anAcknowledgedWriteThatIsMissingIsFound() {
            script.call("a", 0, 1, "op=write fence=1", "out=ok before=0 after=1");
            assertThat(broken(true)).containsExactly("an acknowledged change is missing");
        }

        @Test
        void aRejectedOrFailedWriteThatTookEffectIsFound() {
            script.call("a", 0, 1, "op=write fence=1", "out=rejected")
                    .call("a", 2, 3, "op=write fence=1", "out=failed");
            assertThat(broken(true, "1 write key=k1 fence=1 client=a before=0 after=1"))
                    .hasSize(1);
        }

        @Test
        void anUnknownWriteTakesEffectOnceAtMost() {
            script.unanswered("a", 0, "op=write fence=1");
            assertThat(broken(
                            true,
                            "1 write key=k1 fence=1 client=a before=0 after=1",
                            "2 write key=k1 fence=1 client=a before=1 after=2"))
                    .hasSize(1);
        }

        @Test
        void theNumberOfTheCallDecidesIfTheWitnessNotesIt() {
            script.call("a", 0, 1, "op=write fence=1", "out=ok before=0 after=1")
                    .call("a", 2, 3, "op=write fence=1", "out=failed");
            assertThat(broken(true, "1 write key=k1 fence=1 client=a call=2 before=0 after=1"))
                    .hasSize(2);
        }
    }

    @Nested
    class ProcessOnce {
        private static final String WORK = "1 work key=k1 fence=2 client=b";

        @Test
        void workAfterDoneIsFound() {
            script.done("a", 0, 1, "A").call("b", 2, 3, "op=work fence=2", "out=ok");
            assertThat(broken(true, WORK)).containsExactly("work after done");
        }

        @Test
        void workThatIsUnknownButInTheWitnessIsFoundToo() {
            script.done("a", 0, 1, "A").unanswered("b", 2, "op=work fence=2");
            assertThat(broken(true, WORK)).containsExactly("work after done");
            assertThat(broken(true)).isEmpty();
        }

        @Test
        void workAfterAReopenIsAllowed() {
            script.done("a", 0, 1, "A")
                    .unanswered("o", 2, "op=reopen")
                    .call("b", 3, 4, "op=work fence=2", "out=ok")
                    .done("b", 5, 6, "B");
            assertThat(broken(true, WORK)).isEmpty();
        }

        @Test
        void doneTwiceIsFound() {
            script.done("a", 0, 1, "A").done("b", 2, 3, "B");
            assertThat(broken(true)).containsExactly("done twice");
        }

        @Test
        void theSameTokenMayRepeatItsDone() {
            script.done("a", 0, 1, "A").done("a", 2, 3, "A");
            assertThat(broken(true)).isEmpty();
        }
    }
}
