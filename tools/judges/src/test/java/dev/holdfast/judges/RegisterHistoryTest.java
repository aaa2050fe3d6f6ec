package dev.holdfast.judges;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The small histories of a register that the literature uses, expressed with the value of a lease: one client holds the key
 * for the whole history and writes by {@code update}, others read by {@code get}. The three processes of Herlihy and
 * Wing's register examples write and read in the same way, as all updates may carry the one token.
 */
class RegisterHistoryTest {
    private final HistoryScript script = new HistoryScript().granted("a", 0, 1, "A", 1);

    private HistoryScript write(String client, int start, int end, String value) {
        return script.updated(client, start, end, "A", value);
    }

    private HistoryScript read(String client, int start, int end, String value) {
        return script.call(client, start, end, "op=get", "out=state state=HELD fence=1 value=" + value);
    }

    private HistoryScript writeUnanswered(String client, int start, String value) {
        return script.unanswered(client, start, "op=update token=A value=" + value);
    }

    private void isLinearizable() {
        assertThat(script.judged().isClean()).isTrue();
    }

    private void isNotLinearizable() {
        assertThat(script.judged().violations()).hasSize(1);
    }

    @Test
    void herlihyAndWingAConcurrentReadMaySeeTheNewValueOrTheOld() {
        // W(0) A; then W(1) by A overlaps R(1) by B and R(0) by C, where C reads before B ends.
        write("a", 2, 3, "0");
        write("a", 4, 10, "1");
        read("c", 4, 6, "0");
        read("b", 5, 9, "1");
        isLinearizable();
    }

    @Test
    void herlihyAndWingAReadMayNotReturnTheOldValueAfterAnotherReadReturnedTheNew() {
        write("a", 2, 3, "0");
        write("a", 4, 10, "1");
        read("b", 5, 6, "1");
        read("c", 7, 9, "0");
        isNotLinearizable();
    }

    @Test
    void herlihyAndWingTwoConcurrentWritesMayBeOrderedByTheirReaders() {
        write("a", 2, 9, "0");
        write("b", 3, 8, "1");
        read("c", 10, 11, "0");
        isLinearizable();
    }

    @Test
    void herlihyAndWingTwoReadersMayNotOrderConcurrentWritesDifferently() {
        write("a", 2, 9, "0");
        write("b", 3, 8, "1");
        read("c", 10, 11, "1");
        read("d", 12, 13, "0");
        isNotLinearizable();
    }

    @Test
    void aPendingWriteMayBeSeen() {
        write("a", 2, 3, "0");
        writeUnanswered("b", 4, "1");
        read("c", 5, 6, "1");
        isLinearizable();
    }

    @Test
    void aPendingWriteMayTakeEffectLongAfterItsClientDied() {
        writeUnanswered("b", 4, "1");
        read("c", 5, 6, "");
        read("c", 7, 8, "");
        read("c", 900, 901, "1");
        isLinearizable();
    }

    @Test
    void aPendingWriteThatWasSeenMayNotDisappear() {
        writeUnanswered("b", 4, "1");
        read("c", 5, 6, "1");
        read("c", 7, 8, "");
        isNotLinearizable();
    }

    @Test
    void aPendingWriteTakesEffectOnlyOnce() {
        writeUnanswered("b", 4, "1");
        read("c", 5, 6, "1");
        write("a", 7, 8, "2");
        read("c", 9, 10, "1");
        isNotLinearizable();
    }

    @Test
    void aPendingWriteOfAnOldTokenMayNotLandAfterTheNextGrant() {
        writeUnanswered("b", 4, "1");
        script.granted("z", 200, 201, "Z", 2);
        script.call("c", 202, 203, "op=get", "out=state state=HELD fence=2 value=");
        script.call("c", 204, 205, "op=get", "out=state state=HELD fence=2 value=1");
        isNotLinearizable();
    }

    @Test
    void aFailedWriteMayNotBeSeen() {
        script.call("b", 4, 5, "op=update token=A value=1", "out=failed");
        read("c", 6, 7, "1");
        isNotLinearizable();
    }

    @Test
    void aStaleReadIsFound() {
        write("a", 2, 3, "1");
        write("a", 4, 5, "2");
        read("c", 6, 7, "1");
        isNotLinearizable();
    }

    @Test
    void aReadOfAValueThatWasNeverWrittenIsFound() {
        write("a", 2, 3, "1");
        read("c", 4, 5, "7");
        isNotLinearizable();
    }

    @Test
    void aLostUpdateIsFound() {
        write("a", 2, 3, "1");
        read("c", 4, 5, "");
        isNotLinearizable();
    }

    @Test
    void aReaderInThePastOfALongWriteIsAccepted() {
        // The example of Porcupine's visualisation: a long write, and reads of both values in order.
        write("a", 2, 100, "100");
        read("b", 25, 75, "100");
        read("c", 30, 60, "");
        isLinearizable();
    }

    @Test
    void aReaderAfterAnotherThatSawTheLongWriteMustSeeItToo() {
        write("a", 2, 100, "200");
        read("b", 10, 30, "200");
        read("c", 40, 90, "");
        isNotLinearizable();
    }

    @Test
    void compareAndSetOfTheSameTokenSucceedsForOneOfTwoClients() {
        script.released("a", 2, 3, "A");
        script.granted("b", 4, 10, "B", 2).held("c", 5, 9, "C");
        isLinearizable();
    }

    @Test
    void compareAndSetDoesNotSucceedForBoth() {
        script.released("a", 2, 3, "A");
        script.granted("b", 4, 10, "B", 2).granted("c", 5, 9, "C", 3);
        isNotLinearizable();
    }

    @Test
    void splitBrainIsFound() {
        script.updated("a", 10, 11, "A", "left");
        script.granted("b", 12, 13, "B", 2).updated("b", 14, 15, "B", "right");
        script.updated("a", 16, 17, "A", "left");
        isNotLinearizable();
    }
}
