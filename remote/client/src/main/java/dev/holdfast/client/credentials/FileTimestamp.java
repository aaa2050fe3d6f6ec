package dev.holdfast.client.credentials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/** The properties of a file that change when it is written or replaced. */
record FileTimestamp(FileTime modified, long size, @Nullable Object file) {
    static FileTimestamp of(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        return new FileTimestamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
}
