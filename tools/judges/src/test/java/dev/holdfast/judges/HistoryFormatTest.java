package dev.holdfast.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading and writing of histories and witnesses. */
class HistoryFormatTest {
    private static final String ACQUIRE = "10 c1.1 1 call op=acquire key=k token=T term=100 clock=7";

    @TempDir
    Path folder;

    private Path file(String... lines) throws IOException {
        return Files.write(folder.resolve("file.txt"), List.of(lines));
    }

    @Test
    void aHistoryIsReadAndWrittenUnchanged() throws IOException {
        Path file = file(
                ACQUIRE,
                "11 harness 0 fault name=cut%20client%203 kind=connection%20cut",
                "12 c1.1 1 answer out=granted fence=5 clock=9",
                "13 harness 0 heal name=cut%20client%203 kind=connection%20cut",
                "14 c1.1 2 call op=list keys=k",
                "15 c1.1 2 answer out=listed items=k:HELD:5:%253A%2520");
        ChaosHistory history = ChaosHistory.read(file);
        Path copy = folder.resolve("copy.txt");
        history.write(copy);
        assertThat(copy).hasSameTextualContentAs(file);
        assertThat(history.calls()).hasSize(2);
        assertThat(history.faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.field("kind")).isEqualTo("connection cut"));
    }

    @Test
    void itemsOfAListSurviveAnyCharacter() {
        List<ListedEntry> entries =
                List.of(new ListedEntry("a:b,c", "HELD", 5, "x y%=é"), new ListedEntry("d", "FREE", 0, ""));
        HistoryLine line =
                new HistoryLine(1, "c1.1", 1, HistoryLine.Kind.ANSWER, Map.of("items", ListedEntry.join(entries)));
        HistoryLine again = HistoryLine.parse(line.text());
        assertThat(ListedEntry.parse(again.field("items"))).isEqualTo(entries);
    }

    @Test
    void aCallWithoutAnAnswerIsUnknown() throws IOException {
        assertThat(ChaosHistory.read(file(ACQUIRE)).calls())
                .singleElement()
                .satisfies(call -> assertThat(call.isUnknown()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x c1.1 2 call op=get key=k",
                "20 c1.1 2 shout op=get key=k",
                "20 c1.1 2 call op=fly key=k",
                "20 c1.1 2 call op=get",
                "20 c1.1 2 call op=get key=k key=k",
                "20 c1.1 2 call  op=get key=k",
                "20 c1.1 2 call op=get key=%4",
                "20 c1.1 2 call op=acquire key=k token=T term=0",
                "20 c1.1 2 call op=believe key=k fence=high",
                "20 c1.1 1 call op=get key=k",
                "20 c1.1 7 answer out=ok",
                "20 c1.1 1 answer out=granted",
                "20 c1.1 1 answer out=lost",
                "9 c1.1 1 answer out=held",
                "20 harness 0 fault name=x",
            })
    void aLineThatIsNotInTheFormatIsRejectedWithItsNumber(String line) throws IOException {
        Path file = file(ACQUIRE, line);
        assertThatThrownBy(() -> ChaosHistory.read(file))
                .isInstanceOf(HistoryFormatException.class)
                .hasMessageStartingWith("line 2: ");
    }

    @Test
    void aSecondAnswerIsRejected() throws IOException {
        Path file = file(ACQUIRE, "12 c1.1 1 answer out=held", "13 c1.1 1 answer out=held");
        assertThatThrownBy(() -> ChaosHistory.read(file)).hasMessageStartingWith("line 3: ");
    }

    @Test
    void aWitnessIsReadAndWrittenUnchanged() throws IOException {
        Path file = file(
                "1 write key=k fence=5 client=c1.1 before=0 after=1 at=20",
                "2 work key=once-1 fence=6 client=c2.1 at=21");
        WitnessLog witness = WitnessLog.read(file);
        Path copy = folder.resolve("copy.txt");
        witness.write(copy);
        assertThat(copy).hasSameTextualContentAs(file);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2 write key=k fence=5 client=c1.1 before=0",
                "2 work key=k client=c1.1",
                "1 work key=k fence=5 client=c1.1",
                "2 rest key=k fence=5 client=c1.1",
            })
    void aLineOfAWitnessThatIsNotInTheFormatIsRejected(String line) throws IOException {
        Path file = file("1 work key=k fence=5 client=c1.1", line);
        assertThatThrownBy(() -> WitnessLog.read(file)).hasMessageStartingWith("line 2: ");
    }
}
