package dev.holdfast.rules;

import dev.holdfast.Key;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * The mark of an import, in the version that it writes: a UUID of version 8, which no other write uses.
 *
 * <p>Every write of Holdfast gives an entry another version. So an entry with the mark is unchanged since an import
 * wrote it. The first other write removes the mark, without any rule for it.
 *
 * <pre>
 * digest of the row  48 bits   differs if the other tool has written the row since
 * version             4 bits   8
 * check, first part  12 bits
 * variant             2 bits
 * check, second part 20 bits   with the first part: a hash of the key and of all other bits
 * random             42 bits   so that no version is ever used twice
 * </pre>
 */
final class ImportMark {
    /** The digest of an entry that represents no row. */
    static final long NO_ROW = 0;

    private static final int DIGEST_SHIFT = 16;
    private static final long DIGEST_BITS = 0xffff_ffff_ffffL;
    private static final int VERSION = 8;
    private static final int VERSION_SHIFT = 12;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final int CHECK_SHIFT = 42;
    private static final long RANDOM_BITS = (1L << CHECK_SHIFT) - 1;
    private static final long FIRST_BITS = 0xfff;
    private static final long SECOND_BITS = 0xf_ffff;

    private ImportMark() {}

    /** The digest of a row: never {@link #NO_ROW}. */
    static long digest(String fingerprint) {
        long digest = hash("row", fingerprint) & DIGEST_BITS;
        return digest == NO_ROW ? 1 : digest;
    }

    /**
     * The version with the mark.
     *
     * @param fresh a version that was drawn for this write
     */
    static Version version(Key key, long digest, Version fresh) {
        long random = fresh.id().getLeastSignificantBits() & RANDOM_BITS;
        long check = check(key, digest, random);
        return Version.of(new UUID(
                (digest << DIGEST_SHIFT) | ((long) VERSION << VERSION_SHIFT) | (check & FIRST_BITS),
                VARIANT | (((check >>> VERSION_SHIFT) & SECOND_BITS) << CHECK_SHIFT) | random));
    }

    /** Whether an import wrote the entry, and nothing has written it since. */
    static boolean isOn(Entry entry) {
        UUID id = entry.version().id();
        return id.version() == VERSION
                && version(entry.key(), digest(entry), entry.version()).id().equals(id);
    }

    /** The digest of the row that an entry with the mark was made of. */
    static long digest(Entry entry) {
        return entry.version().id().getMostSignificantBits() >>> DIGEST_SHIFT;
    }

    private static long check(Key key, long digest, long random) {
        return hash("check", key.namespace(), key.name(), Long.toHexString(digest), Long.toHexString(random));
    }

    private static long hash(String... parts) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (String part : parts) {
                sha.update(bytes(part));
            }
            return ByteBuffer.wrap(sha.digest()).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The length and then the text, so that no other list of texts gives the same bytes. */
    private static ByteBuffer bytes(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * text.length());
        bytes.putInt(text.length()).asCharBuffer().put(text);
        return bytes.clear();
    }
}
