package dev.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.testkit.stores.AttributesWithSets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class AttributeMessagesTest {
    /** The message of the patch below, as the code of 16 November 2026 sent it: it still had sets. */
    private static final String PATCH =
            "12130a05626c6f6273120a4a080a000a01010a0180120f0a0562797465731206220400ff7f8012200a046c6973741218"
                    + "2a160a030a01610a022a000a0b3a090a000a01610a02c3a9129d010a036d61701295013292010a8f010a05696e6e6572"
                    + "1285013282010a130a05626c6f6273120a4a080a000a01010a01800a6b0a076e756d626572731260425e0a282d313233"
                    + "34353637383930313233343536373839302e3132333435363738393031323334353637380a0431452b310a2c392e3939"
                    + "3939393939393939393939393939393939393939393939393939393939393939393939452b31323512080a026e6f1202"
                    + "1800120a0a046e6f6e6512023a0012340a066e756d626572122a12282d31323334353637383930313233343536373839"
                    + "302e313233343536373839303132333435363738126b0a076e756d626572731260425e0a282d31323334353637383930"
                    + "313233343536373839302e3132333435363738393031323334353637380a0431452b310a2c392e393939393939393939"
                    + "39393939393939393939393939393939393939393939393939393939452b31323512150a0474657874120d0a0b68c3a9"
                    + "6c6c6f20f09f9a8012140a057465787473120b3a090a000a01610a02c3a912090a03796573120218011a04676f6e65";

    @Test
    void aMessageOfAnEarlyClientIsReadWithItsSetsAsLists() throws Exception {
        AttributePatch patch = AttributeMessages.patch(
                dev.holdfast.proto.v1.AttributePatch.parseFrom(HexFormat.of().parseHex(PATCH)));

        assertThat(patch.puts().asMap()).isEqualTo(AttributesWithSets.values());
        assertThat(patch.removes()).containsExactly("gone");
        assertThat(patch.replaces()).isFalse();
    }

    @Test
    void attributesOfEveryTypeSurviveTheWire() {
        Attributes attributes = Attributes.of(AttributesWithSets.values());

        assertThat(AttributeMessages.attributes(AttributeMessages.wire(attributes)))
                .isEqualTo(attributes);
        assertThat(AttributeMessages.attributes(AttributeMessages.wire(AttributesWithSets.stored())))
                .isEqualTo(attributes);
    }
}
