package dev.holdfast.accord;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FileDescriptor;
import dev.holdfast.proto.accord.AccordProto;
import org.junit.jupiter.api.Test;

/** Rules that generators of other languages rely on, and the names that accord's clients send. */
class AccordProtoTest {
    private static final FileDescriptor FILE = AccordProto.getDescriptor();

    @Test
    void namesHaveTheUsualForms() {
        assertThat(FILE.getMessageTypes()).isNotEmpty().allSatisfy(message -> {
            assertThat(message.getName()).matches("[A-Z][A-Za-z0-9]*");
            assertThat(message.getFields())
                    .allSatisfy(field -> assertThat(field.getName()).matches("[a-z][a-z0-9]*(_[a-z0-9]+)*"));
        });
        assertThat(FILE.getServices().get(0).getMethods())
                .allSatisfy(method -> assertThat(method.getName()).matches("[A-Z][A-Za-z0-9]*"));
    }

    @Test
    void theFileIsInTheFolderOfItsPackageAndHasAPackageForGo() {
        assertThat(FILE.getFullName()).startsWith(FILE.getPackage().replace('.', '/') + "/");
        assertThat(FILE.getOptions().getGoPackage()).matches("holdfast\\.dev/proto/[a-z0-9/]+;[a-z0-9]+");
    }

    @Test
    void theNameOfTheServiceIsAccords() {
        assertThat(FILE.getServices().get(0).getFullName()).isEqualTo("blacksquaremedia.accord.V1");
    }
}
