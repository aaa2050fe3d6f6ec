package dev.holdfast.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.Check;
import dev.holdfast.model.Key;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Scan;
import dev.holdfast.spi.Stored;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a scan: a range of one index, in key order, from behind the last key of the page before.
 *
 * <p>Which index is said, not left to be guessed: the narrowest that the question gives a value for. Order and ranges are
 * those of UTF-8 bytes, which are those of code points; nothing is matched as a pattern.
 */
final class ScanQuery {
    /** The most entries of a page whatever is asked: with the largest attributes this is 64 MB. */
    private static final int PAGE_LIMIT = 1_000;

    private static final char SEPARATOR = '\0';

    private final Scan scan;
    private final @Nullable Key last;
    private final int limit;

    /** @throws IllegalArgumentException for a cursor that no page ended with */
    ScanQuery(Scan scan) {
        this.scan = scan;
        this.last = scan.cursor() == null ? null : key(scan.cursor());
        this.limit = Math.min(scan.limit(), PAGE_LIMIT);
    }

    String sql() {
        StringBuilder sql = new StringBuilder("SELECT " + Rows.COLUMNS + " FROM entry");
        if (scan.token() != null) {
            sql.append(" INDEXED BY entry_token");
        } else if (scan.holder() != null) {
            sql.append(" INDEXED BY entry_holder");
        } else if (scan.state() != null) {
            sql.append(" INDEXED BY entry_state");
        }
        sql.append(" WHERE (namespace, name) > (?1, ?2) AND namespace < ?3");
        sql.append(scan.state() == null ? "" : " AND state = ?4");
        sql.append(scan.token() == null ? "" : " AND token = ?5");
        sql.append(scan.holder() == null ? "" : " AND holder = ?6");
        return sql.append(" ORDER BY namespace, name LIMIT ?7").toString();
    }

    Page run(Session session, @Nullable BootTime now) throws SQLException {
        PreparedStatement select = session.prepared(sql());
        bind(select);
        List<Stored> found = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                if (found.size() == limit) {
                    return new Page(found, cursor(found.get(limit - 1).entry().key()));
                }
                found.add(Rows.stored(row, now));
            }
        }
        return new Page(found, null);
    }

    private void bind(PreparedStatement select) throws SQLException {
        if (last == null || Check.compareCodePoints(last.namespace(), scan.prefix()) < 0) {
            // No name is empty, so this is before all of them.
            select.setString(1, scan.prefix());
            select.setString(2, "");
        } else {
            Rows.bindKey(select, last);
        }
        String end = above(scan.prefix());
        if (end == null) {
            select.setBytes(3, new byte[1]); // any blob is above all texts
        } else {
            select.setString(3, end);
        }
        select.setString(4, scan.state() == null ? null : scan.state().name());
        select.setBytes(5, scan.token() == null ? null : Rows.bytes(scan.token().id()));
        select.setString(6, scan.holder() == null ? null : scan.holder().name());
        select.setLong(7, limit + 1L);
    }

    /** The least text above all that begin with {@code prefix}; null if there is none. */
    static @Nullable String above(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                return prefix.substring(0, end) + Character.toString(following(last));
            }
        }
        return null;
    }

    /** Surrogates are no characters of their own: no text holds one. */
    private static int following(int codePoint) {
        return codePoint + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : codePoint + 1;
    }

    private static String cursor(Key last) {
        byte[] text = (last.namespace() + SEPARATOR + last.name()).getBytes(UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
    }

    private static Key key(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
            int at = text.indexOf(SEPARATOR);
            if (at >= 0) {
                return Key.of(text.substring(0, at), text.substring(at + 1));
            }
        } catch (IllegalArgumentException e) {
            throw Check.bad("cursor", cursor, "one that the page before ended with");
        }
        throw Check.bad("cursor", cursor, "one that the page before ended with");
    }
}
