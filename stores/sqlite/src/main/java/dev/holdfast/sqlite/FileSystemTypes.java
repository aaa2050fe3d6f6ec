package dev.holdfast.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Types of file systems, and the subset that several hosts can share. On a shared one, SQLite's locks and shared memory
 * do not work between hosts, so each host could grant the same key.
 */
interface FileSystemTypes {
    /**
     * Names as used by Linux, macOS and the FUSE helpers. The last four are shared by virtual machines with their host.
     */
    Set<String> SHARED =
            Set.of(("nfs nfs4 cifs smb smb2 smb3 smbfs ncpfs afs afpfs webdav davfs ceph lustre beegfs gpfs gfs2"
                            + " ocfs2 glusterfs moosefs fuse.sshfs fuse.glusterfs fuse.ceph fuse.ceph-fuse fuse.davfs fuse.s3fs"
                            + " fuse.rclone fuse.gcsfuse fuse.mfs fuse.juicefs 9p virtiofs vboxsf prl_fs")
                    .split(" "));

    /** Returns the type of the file system of {@code existing}, in lower case; empty if unknown. */
    String typeOf(Path existing);

    static FileSystemTypes system() {
        return existing -> {
            try {
                return Files.getFileStore(existing).type().toLowerCase(Locale.ROOT);
            } catch (IOException | SecurityException e) {
                return "";
            }
        };
    }

    /**
     * Returns the type of the file system of {@code database} if several hosts can share it; otherwise null. The file
     * need not exist yet.
     */
    default @Nullable String sharedTypeOf(Path database) {
        for (Path path = database; path != null; path = path.getParent()) {
            if (Files.exists(path)) {
                String type = typeOf(path);
                return SHARED.contains(type) ? type : null;
            }
        }
        return null;
    }

    /** Returns the reason why a file on a file system of {@code type} is rejected. */
    static String danger(String type) {
        return "is on a file system that several hosts can share (" + type
                + "). SQLite's locks do not work between hosts," + " so two hosts could hold the same lease";
    }
}
