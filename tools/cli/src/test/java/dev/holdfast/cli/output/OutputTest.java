package dev.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributeValue;
import dev.holdfast.Attributes;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputTest {
    @Test
    void jsonIsSeparatedNestedAndEscaped() {
        JsonWriter jsonWriter = new JsonWriter().beginObject();
        jsonWriter
                .field("a", "q\"b\\n\n\t\u0001\u007f\u2028é☃")
                .field("n", 7)
                .field("b", true)
                .field("x", null);
        jsonWriter
                .name("list")
                .beginArray()
                .value("1")
                .literal(2)
                .beginObject()
                .endObject()
                .beginArray()
                .endArray()
                .endArray();
        jsonWriter.endObject();

        assertThat(jsonWriter)
                .hasToString("{\"a\":\"q\\\"b\\\\n\\n\\t\\u0001\\u007f\\u2028é☃\",\"n\":7,\"b\":true,\"x\":null,"
                        + "\"list\":[\"1\",2,{},[]]}");
    }

    @Test
    void attributesOfEveryKindHaveAFormInJson() {
        Attributes attributes = Attributes.of(Map.of(
                "bytes", AttributeValue.of(new byte[] {1, 2}),
                "list", new AttributeValue.ListOf(List.of(AttributeValue.of("x"), AttributeValue.of(true))),
                "map", new AttributeValue.MapOf(Map.of("k", AttributeValue.of(1))),
                "number", new AttributeValue.Number(new BigDecimal("1200.50")),
                "numbers", new AttributeValue.ListOf(List.of(AttributeValue.of(10))),
                "text", AttributeValue.of("t")));
        JsonWriter jsonWriter = new JsonWriter();

        LeaseStatusJson.attributes(jsonWriter, attributes);

        assertThat(jsonWriter)
                .hasToString("{\"bytes\":\"AQI=\",\"list\":[\"x\",true],\"map\":{\"k\":1},\"number\":1200.5,"
                        + "\"numbers\":[10],\"text\":\"t\"}");
    }

    @Test
    void controlCharactersAreEscaped() {
        assertThat(VisibleText.line("a\u001b[31mred\nnext\ttab\u009b\u202e\uD800é☃"))
                .isEqualTo("a\\u001b[31mred\\nnext\\ttab\\u009b\\u202e\\ud800é☃");
        assertThat(VisibleText.shortened("x".repeat(100))).hasSize(67).endsWith("...");
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.35S, 350ms",
        "PT42S, 42s",
        "PT3M, 3m",
        "PT3M20S, 3m 20s",
        "PT1H57M59S, 1h 57m",
        "P3DT4H5M, 3d 4h",
        "PT-1S, 0ms"
    })
    void spansHaveTheirTwoLargestUnits(Duration span, String expected) {
        assertThat(DurationSpan.of(span)).isEqualTo(expected);
    }

    @Test
    void aTableFitsItsWidthByCuttingTextsAndThenDroppingTheLeastImportantColumns() {
        TextTable textTable = new TextTable(
                TextTable.Column.text("NAME", TextTable.MATTERS + 2),
                TextTable.Column.whole("STATUS", TextTable.MATTERS + 2),
                TextTable.Column.text("HOLDER", TextTable.MATTERS + 1),
                TextTable.Column.whole("LEFT", TextTable.MATTERS),
                TextTable.Column.whole("FENCE", 0));
        textTable.row(
                "a-rather-long-name-of-a-key", "held", "user-123@some-host.example", "1h 57m", "1794730464997118");
        textTable.row("b", "free", "-", "-", "1");

        assertThat(textTable.lines(200).get(1))
                .isEqualTo("a-rather-long-name-of-a-key  held    user-123@some-host.example  1h 57m  1794730464997118");
        for (int width : List.of(80, 60, 40, 20, 5)) {
            assertThat(textTable.lines(width))
                    .allSatisfy(line -> assertThat(ColumnWidth.of(line)).isLessThanOrEqualTo(width));
        }
        assertThat(textTable.lines(70).get(1)).contains("…").contains("1794730464997118");
        assertThat(textTable.lines(60).get(0))
                .contains("NAME", "STATUS", "HOLDER", "LEFT")
                .doesNotContain("FENCE");
        assertThat(textTable.lines(40).get(0)).contains("NAME", "STATUS", "HOLDER", "LEFT");
        assertThat(textTable.lines(20).get(0))
                .startsWith("NAME")
                .contains("STATUS")
                .doesNotContain("HOLDER");
    }

    @Test
    void wideLettersTakeTwoColumnsAndAccentsNone() {
        assertThat(ColumnWidth.of("名前")).isEqualTo(4);
        assertThat(ColumnWidth.of("e\u0301")).isEqualTo(1);
        assertThat(ColumnWidth.of("🔒")).isEqualTo(2);
        assertThat(ColumnWidth.fit("名前名前", 5)).isEqualTo("名前…");
    }
}
