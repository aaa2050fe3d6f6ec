package dev.holdfast.judges;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Hand-made histories of one lease, each certainly possible or certainly impossible. */
class LeaseHistoryTest {
    private final HistoryScript script = new HistoryScript();

    private void isPossible() {
        assertThat(script.judged().violations()).isEmpty();
        assertThat(script.judged().undecidedKeys()).isEmpty();
    }

    private void isImpossible() {
        assertThat(script.judged().violations()).hasSize(1);
    }

    @Nested
    class Expiry {
        @Test
        void aLeaseMayBeTakenOverAfterItsTerm() {
            script.granted("a", 0, 1, "A", 1).granted("b", 100, 102, "B", 2);
            isPossible();
        }

        @Test
        void aLeaseMayBeTakenOverALittleEarlierAsClocksDrift() {
            script.granted("a", 0, 1, "A", 1).granted("b", 90, 100, "B", 2);
            isPossible();
        }

        @Test
        void aLeaseMayNotBeTakenOverWithinItsTerm() {
            script.granted("a", 0, 1, "A", 1).granted("b", 50, 60, "B", 2);
            isImpossible();
        }

        @Test
        void theTermCountsFromTheStartOfTheGrantAtTheEarliest() {
            script.granted("a", 0, 50, "A", 1).granted("b", 90, 101, "B", 2);
            isPossible();
        }

        @Test
        void aRenewalBeginsANewTerm() {
            script.granted("a", 0, 1, "A", 1).renewed("a", 60, 61, "A").granted("b", 110, 120, "B", 2);
            isImpossible();
        }

        @Test
        void aRenewalWithAnUnknownOutcomeDoesNotProlongForCertain() {
            script.granted("a", 0, 1, "A", 1)
                    .unanswered("a", 60, "op=renew token=A term=100000000")
                    .granted("b", 110, 120, "B", 2);
            isPossible();
        }

        @Test
        void anUnknownRenewalToAShorterTermMayEndTheLeaseEarlier() {
            script.granted("a", 0, 1, "A", 1)
                    .unanswered("a", 10, "op=renew token=A term=20000000")
                    .granted("b", 40, 50, "B", 2);
            isPossible();
        }

        @Test
        void anExpiredLeaseThatWasNotTakenCanBeRenewedUpdatedAndFinished() {
            script.granted("a", 0, 1, "A", 1)
                    .renewed("a", 500, 501, "A")
                    .updated("a", 800, 801, "A", "x")
                    .done("a", 1000, 1001, "A");
            isPossible();
        }

        @Test
        void anExpiredLeaseMayStillBeShownAsHeld() {
            script.granted("a", 0, 1, "A", 1)
                    .held("b", 150, 151, "B")
                    .read("c", 160, 161, "HELD", 1, "")
                    .read("c", 170, 171, "FREE", 1, "");
            isPossible();
        }

        @Test
        void aHeldLeaseIsNotShownAsFreeWithinItsTerm() {
            script.granted("a", 0, 1, "A", 1).read("c", 50, 51, "FREE", 1, "");
            isImpossible();
        }

        @Test
        void aTakenLeaseCannotBeRenewed() {
            script.granted("a", 0, 1, "A", 1).granted("b", 150, 151, "B", 2).renewed("a", 160, 161, "A");
            isImpossible();
        }

        @Test
        void aTakenLeaseCannotBeUpdatedEvenIfTheTakerReleasedIt() {
            script.granted("a", 0, 1, "A", 1)
                    .granted("b", 150, 151, "B", 2)
                    .released("b", 152, 153, "B")
                    .updated("a", 160, 161, "A", "x");
            isImpossible();
        }
    }

    @Nested
    class Refusals {
        @Test
        void aFreeKeyIsNotRefused() {
            script.granted("a", 0, 1, "A", 1).released("a", 2, 3, "A").held("b", 4, 5, "B");
            isImpossible();
        }

        @Test
        void aKeyThatWasNeverGrantedIsNotRefused() {
            script.held("b", 4, 5, "B");
            isImpossible();
        }

        @Test
        void aRefusalMayComeFromAnyMomentOfTheCall() {
            script.granted("a", 0, 1, "A", 1).released("a", 2, 3, "A").held("b", 3, 50, "B");
            isPossible();
        }

        @Test
        void aRefusalMayComeFromAnUnansweredGrant() {
            script.lostAcquire("a", 0, "A").held("b", 4, 5, "B");
            isPossible();
        }

        @Test
        void aCallThatFailedHasNoEffect() {
            script.call("a", 0, 1, "op=acquire token=A term=100000000", "out=failed")
                    .held("b", 4, 5, "B");
            isImpossible();
        }

        @Test
        void aHolderIsNotRefusedAsLostWithinItsTerm() {
            script.granted("a", 0, 1, "A", 1).call("a", 50, 51, "op=renew token=A term=100000000", "out=lost");
            isImpossible();
        }

        @Test
        void aHolderMayCountItsOwnTermAndReportALoss() {
            script.granted("a", 0, 1, "A", 1)
                    .call("a", 150, 151, "op=renew token=A term=100000000", "out=lost")
                    .read("c", 152, 153, "HELD", 1, "");
            isPossible();
        }

        @Test
        void aWallClockThatJumpedMayEndALeaseEarly() {
            script.granted("a", 0, 1, "A", 1)
                    .fault(2, "wall clock step")
                    .call("a", 50, 51, "op=renew token=A term=100000000", "out=lost");
            isPossible();
        }

        @Test
        void aDoneKeyIsNotRefusedAsHeld() {
            script.granted("a", 0, 1, "A", 1).done("a", 2, 3, "A").held("b", 4, 5, "B");
            isImpossible();
        }
    }

    @Nested
    class Fences {
        @Test
        void aFenceIsNotRepeated() {
            script.granted("a", 0, 1, "A", 5).released("a", 2, 3, "A").granted("b", 4, 5, "B", 5);
            isImpossible();
        }

        @Test
        void aFenceDoesNotGoDownAfterDoneAndReopen() {
            script.granted("a", 0, 1, "A", 5)
                    .done("a", 2, 3, "A")
                    .call("o", 4, 5, "op=reopen", "out=ok")
                    .granted("b", 6, 7, "B", 4);
            isImpossible();
        }

        @Test
        void anUnseenGrantTakesAFence() {
            script.granted("a", 0, 1, "A", 5)
                    .released("a", 2, 3, "A")
                    .lostAcquire("b", 4, "B")
                    .read("c", 5, 6, "HELD", 6, "")
                    .granted("d", 200, 201, "D", 7);
            isPossible();
        }

        @Test
        void anUnseenGrantIsNoExcuseForARepeatedFence() {
            script.granted("a", 0, 1, "A", 5)
                    .released("a", 2, 3, "A")
                    .lostAcquire("b", 4, "B")
                    .read("c", 5, 6, "HELD", 6, "")
                    .granted("d", 200, 201, "D", 6);
            isImpossible();
        }

        @Test
        void theSameTokenFindsItsOwnGrant() {
            script.lostAcquire("a", 0, "A").granted("a", 10, 11, "A", 7).renewed("a", 12, 13, "A");
            isPossible();
        }
    }

    @Nested
    class DoneKeys {
        @Test
        void aDoneKeyIsNotGranted() {
            script.granted("a", 0, 1, "A", 1).done("a", 2, 3, "A").granted("b", 4, 5, "B", 2);
            isImpossible();
        }

        @Test
        void aReopenedKeyIsGranted() {
            script.granted("a", 0, 1, "A", 1)
                    .done("a", 2, 3, "A")
                    .unanswered("o", 4, "op=reopen")
                    .granted("b", 5, 6, "B", 2);
            isPossible();
        }

        @Test
        void anUnknownDoneMayComeLate() {
            script.granted("a", 0, 1, "A", 1)
                    .unanswered("a", 2, "op=done token=A")
                    .read("c", 3, 4, "HELD", 1, "")
                    .read("c", 500, 501, "DONE", 1, "");
            isPossible();
        }

        @Test
        void anUnknownDoneCannotComeAfterTheNextGrant() {
            script.granted("a", 0, 1, "A", 1)
                    .unanswered("a", 2, "op=done token=A")
                    .granted("b", 200, 201, "B", 2)
                    .read("c", 202, 203, "DONE", 2, "");
            isImpossible();
        }

        @Test
        void aLostDoneIsFound() {
            script.granted("a", 0, 1, "A", 1).done("a", 2, 3, "A").read("c", 4, 5, "FREE", 1, "");
            isImpossible();
        }
    }

    @Nested
    class Evictions {
        @Test
        void anEvictionFreesTheKeyWithinTheTerm() {
            script.granted("a", 0, 1, "A", 1)
                    .call("o", 2, 3, "op=evict", "out=ok")
                    .granted("b", 4, 5, "B", 2)
                    .believed("a", 6, 7, 1);
            isPossible();
        }

        @Test
        void anEvictedHolderCannotRenew() {
            script.granted("a", 0, 1, "A", 1)
                    .call("o", 2, 3, "op=evict", "out=ok")
                    .renewed("a", 4, 5, "A");
            isImpossible();
        }

        @Test
        void anEvictionThatFailedExcusesNothing() {
            script.granted("a", 0, 1, "A", 1)
                    .call("o", 2, 3, "op=evict", "out=failed")
                    .granted("b", 4, 5, "B", 2);
            isImpossible();
        }

        @Test
        void anAcquireMayTakeEffectTwiceAroundAnEviction() {
            script.call("a", 0, 20, "op=acquire token=A term=100000000", "out=granted fence=6")
                    .read("c", 1, 2, "HELD", 5, "")
                    .call("o", 3, 4, "op=evict", "out=ok")
                    .read("c", 5, 6, "FREE", 5, "")
                    .read("c", 21, 22, "HELD", 6, "");
            isPossible();
        }
    }

    @Nested
    class Beliefs {
        @Test
        void aHolderMayBelieveLongAfterItsTermAsItRenewsInTheBackground() {
            script.granted("a", 0, 1, "A", 1).believed("a", 900, 901, 1).granted("b", 902, 903, "B", 2);
            isPossible();
        }

        @Test
        void aHolderDoesNotBelieveAfterTheNextGrant() {
            script.granted("a", 0, 1, "A", 1).granted("b", 902, 903, "B", 2).believed("a", 904, 905, 1);
            isImpossible();
        }
    }

    @Nested
    class RepeatedReleases {
        @Test
        void aReleaseWhoseFirstAnswerWasLostMayBeAnsweredAsLost() {
            script.granted("a", 0, 1, "A", 1)
                    .call("a", 2, 9, "op=release token=A", "out=lost")
                    .granted("b", 4, 5, "B", 2);
            isPossible();
        }

        @Test
        void aReleaseIsNotLostIfNoOtherGrantWasMade() {
            script.granted("a", 0, 1, "A", 1).call("a", 2, 9, "op=release token=A", "out=lost");
            isImpossible();
        }
    }

    @Test
    void aListIsOneReadPerEntry() {
        script.granted("a", 0, 1, "A", 1).call("c", 5, 6, "op=list", "out=listed items=k1:HELD:1:,k2:HELD:4:x");
        isPossible();
    }

    @Test
    void aListThatShowsTheWrongFenceIsImpossible() {
        script.granted("a", 0, 1, "A", 1).call("c", 5, 6, "op=list", "out=listed items=k1:HELD:2:");
        isImpossible();
    }

    @Test
    void aKeyWhoseSearchIsTooLongIsUndecidedAndNotFine() {
        script.granted("a", 0, 1, "A", 1).released("a", 2, 3, "A").granted("b", 4, 5, "B", 2);
        JudgeReport report = LinearizabilityJudge.judge(script.history(), 1);
        assertThat(report.undecidedKeys()).containsExactly(HistoryScript.KEY);
        assertThat(report.isClean()).isFalse();
    }

    @Test
    void aKeyUnderAnAnchorIsLeftOutAndCounted() {
        script.call("a", 0, 1, "op=acquire token=A term=100000000 anchor=w1", "out=granted fence=1")
                .granted("b", 4, 5, "B", 2);
        JudgeReport report = script.judged();
        assertThat(report.keysLeftOut()).isEqualTo(1);
        assertThat(report.keys()).isZero();
        assertThat(report.isClean()).isTrue();
    }

    @Test
    void anAcquireThatWaitedMayBeGrantedAfterItsRefusal() {
        script.granted("a", 0, 1, "A", 1)
                .call("b", 2, 9, "op=acquire token=B term=100000000 wait=5000000", "out=held")
                .released("a", 8, 10, "A")
                .held("c", 11, 12, "C")
                .granted("c", 13, 14, "C", 3);
        isPossible();
    }

    /** A server granted the first attempt, could not deliver the answer, and released the grant. */
    @Test
    void anAcquireThatWasRepeatedMayHaveHadTheKeyForAMoment() {
        anAcquireWasRefusedAfter(200);
        isPossible();
    }

    @Test
    void aShortAcquireThatWasRefusedNeverHadTheKey() {
        anAcquireWasRefusedAfter(50);
        isImpossible();
    }

    /** Another client saw the key held when only this acquire can have had it. Its term is 100 ms. */
    private void anAcquireWasRefusedAfter(int millis) {
        script.call("b", 0, millis, "op=acquire token=B term=100000000", "out=held fence=3")
                .call("c", 1, 2, "op=acquire token=C term=100000000", "out=held fence=1")
                .granted("a", 3, 4, "A", 2)
                .released("a", 5, 6, "A")
                .granted("a", 7, 8, "D", 3);
    }

    @Test
    void theReportNamesOnlyTheLinesThatAreNeeded() {
        script.granted("a", 0, 1, "A", 1)
                .read("c", 2, 3, "HELD", 1, "")
                .released("a", 4, 5, "A")
                .granted("b", 6, 7, "B", 2)
                .read("c", 8, 9, "HELD", 2, "")
                .held("d", 10, 11, "D")
                .granted("d", 12, 13, "D", 3)
                .released("d", 14, 15, "D");
        assertThat(script.judged().violations()).singleElement().satisfies(violation -> {
            assertThat(violation.key()).isEqualTo(HistoryScript.KEY);
            assertThat(violation.rule()).isEqualTo("no order of the calls explains acquire -> granted");
            assertThat(violation.lines()).hasSize(4);
        });
    }
}
