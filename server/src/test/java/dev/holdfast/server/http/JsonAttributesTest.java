package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.stores.AttributesWithSets;
import dev.holdfast.wire.AttributeMessages;
import org.junit.jupiter.api.Test;

class JsonAttributesTest {
    /** Sets have been lists in JSON since the first version, so their removal from the API changed nothing here. */
    @Test
    void storedAttributesOfEveryTypeHaveTheJsonThatTheyAlwaysHad() {
        String numbers = "[-12345678901234567890.123456789012345678,10,9.9999999999999999999999999999999999999E+125]";
        String blobs = "[\"\",\"AQ==\",\"gA==\"]";

        assertThat(JsonAttributes.json(AttributeMessages.wire(AttributesWithSets.stored())))
                .hasToString("{\"blobs\":" + blobs + ",\"bytes\":\"AP9/gA==\",\"list\":[\"a\",[],[\"\",\"a\",\"é\"]],"
                        + "\"map\":{\"inner\":{\"blobs\":" + blobs + ",\"numbers\":" + numbers + "}},"
                        + "\"no\":false,\"none\":[],\"number\":-12345678901234567890.123456789012345678,"
                        + "\"numbers\":" + numbers
                        + ",\"text\":\"héllo 🚀\",\"texts\":[\"\",\"a\",\"é\"],\"yes\":true}");
    }
}
