package dev.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.holdfast.proto.v1.LeasesProto;
import dev.holdfast.proto.v1.LostReason;
import dev.holdfast.proto.v1.State;
import dev.holdfast.proto.v1.StoreTrouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Rules that generators of other languages rely on, most of them basic rules of buf's linter. */
class ProtoStyleTest {
    private static final FileDescriptor LEASES = LeasesProto.getDescriptor();

    private static void collect(Descriptor message, List<Descriptor> messages) {
        messages.add(message);
        message.getNestedTypes().forEach(nested -> collect(nested, messages));
    }

    private static List<Descriptor> messages(FileDescriptor file) {
        List<Descriptor> messages = new ArrayList<>();
        file.getMessageTypes().forEach(message -> collect(message, messages));
        return messages;
    }

    private static List<EnumDescriptor> enums(FileDescriptor file) {
        List<EnumDescriptor> enums = new ArrayList<>(file.getEnumTypes());
        messages(file).forEach(message -> enums.addAll(message.getEnumTypes()));
        return enums;
    }

    @Test
    void valuesOfEnumsBeginWithTheNameOfTheEnumAndZeroIsUnspecified() {
        assertThat(enums(LEASES)).isNotEmpty().allSatisfy(type -> {
            String prefix = type.getName().replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT) + "_";
            assertThat(type.getValues())
                    .extracting(EnumValueDescriptor::getName)
                    .allMatch(name -> name.matches(prefix + "[A-Z0-9]+(_[A-Z0-9]+)*"));
            assertThat(type.findValueByNumber(0).getName()).isEqualTo(prefix + "UNSPECIFIED");
        });
    }

    @Test
    void numbersOfEnumsAreUnchanged() {
        assertThat(State.STATE_FREE.getNumber()).isEqualTo(1);
        assertThat(State.STATE_HELD.getNumber()).isEqualTo(2);
        assertThat(State.STATE_DONE.getNumber()).isEqualTo(3);
        assertThat(LostReason.LOST_REASON_EXPIRED.getNumber()).isEqualTo(1);
        assertThat(LostReason.LOST_REASON_TAKEN.getNumber()).isEqualTo(2);
        assertThat(LostReason.LOST_REASON_EVICTED.getNumber()).isEqualTo(3);
        assertThat(LostReason.LOST_REASON_STORE_UNREACHABLE.getNumber()).isEqualTo(4);
        assertThat(StoreTrouble.Effect.EFFECT_NOT_APPLIED.getNumber()).isEqualTo(1);
        assertThat(StoreTrouble.Effect.EFFECT_MAY_BE_APPLIED.getNumber()).isEqualTo(2);
    }

    @Test
    void namesHaveTheUsualForms() {
        assertThat(messages(LEASES)).allSatisfy(message -> {
            assertThat(message.getName()).matches("([A-Z][A-Za-z0-9]*)");
            assertThat(message.getFields())
                    .allSatisfy(field -> assertThat(field.getName()).matches("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
            assertThat(message.getRealOneofs())
                    .allSatisfy(oneof -> assertThat(oneof.getName()).matches("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
        });
        assertThat(LEASES.getServices())
                .allSatisfy(service -> assertThat(service.getMethods())
                        .allSatisfy(method -> assertThat(method.getName()).matches("[A-Z][A-Za-z0-9]*")));
    }

    @Test
    void aFileIsInTheFolderOfItsPackageAndHasAPackageForGo() {
        assertThat(LEASES.getFullName()).startsWith(LEASES.getPackage().replace('.', '/') + "/");
        assertThat(LEASES.getOptions().getGoPackage()).matches("holdfast\\.dev/proto/[a-z0-9/]+;[a-z0-9]+");
    }

    @Test
    void namesThatClientsSendAreUnchanged() {
        assertThat(LEASES.getPackage()).isEqualTo("holdfast.v1");
        assertThat(LEASES.getServices().get(0).getFullName()).isEqualTo("holdfast.v1.Leases");
    }
}
