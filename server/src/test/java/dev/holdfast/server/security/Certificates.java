package dev.holdfast.server.security;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A self-signed certificate, created by the JDK's own tool when needed, because a checked-in certificate would expire.
 */
final class Certificates {
    private static final String PASSWORD = "changeit";

    final Path certificate;
    final Path key;

    private Certificates(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
    }

    static Certificates create(Path folder, String commonName) throws Exception {
        Path store = folder.resolve(commonName + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "it",
                        "-dname",
                        "CN=" + commonName + ",O=Test",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-ext",
                        "bc:c",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(commonName + ".log").toFile())
                .start();
        if (!keytool.waitFor(120, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            keytool.destroyForcibly();
            throw new IllegalStateException(Files.readString(folder.resolve(commonName + ".log")));
        }
        return extracted(folder, commonName, store);
    }

    private static Certificates extracted(Path folder, String name, Path store)
            throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Certificate certificate = keys.getCertificate("it");
        Key key = keys.getKey("it", PASSWORD.toCharArray());
        return new Certificates(
                pem(folder.resolve(name + ".crt"), "CERTIFICATE", certificate.getEncoded()),
                pem(folder.resolve(name + ".key"), "PRIVATE KEY", key.getEncoded()));
    }

    private static Path pem(Path file, String kind, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
