package dev.holdfast.server.http;

import dev.holdfast.support.ArgumentCheck;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The parts of a path, each decoded by itself: a percent-encoded slash is part of a name, a plain one separates parts.
 */
record HttpPath(List<String> parts) {
    static HttpPath parse(String path) {
        return new HttpPath(List.of(path.substring(1).split("/", -1)).stream()
                .map(part -> decode("path", part))
                .toList());
    }

    int length() {
        return parts.size();
    }

    String part(int index) {
        return parts.get(index);
    }

    /** @throws IllegalArgumentException naming {@code field} */
    static String decode(String field, String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        byte[] raw = encoded.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] != '%') {
                bytes.write(raw[i]);
                continue;
            }
            int high = i + 2 <= raw.length - 1 ? Character.digit(raw[i + 1], 16) : -1;
            int low = i + 2 <= raw.length - 1 ? Character.digit(raw[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw ArgumentCheck.bad(field, encoded, "percent-encoded UTF-8");
            }
            bytes.write(high * 16 + low);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw ArgumentCheck.bad(field, encoded, "percent-encoded UTF-8");
        }
    }
}
