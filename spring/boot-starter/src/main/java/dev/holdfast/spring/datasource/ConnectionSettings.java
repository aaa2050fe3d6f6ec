package dev.holdfast.spring.datasource;

import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a DataSource.
 *
 * @param properties of the driver, in addition to those in the URL
 */
record ConnectionSettings(
        String jdbcUrl, @Nullable String user, @Nullable String password, Properties properties) {
    static ConnectionSettings of(String jdbcUrl, @Nullable String user, @Nullable String password) {
        return new ConnectionSettings(jdbcUrl, user, password, new Properties());
    }

    /** The properties of the driver with the user and the password, as the driver gets them. */
    Properties all() {
        Properties all = new Properties();
        all.putAll(properties);
        if (user != null) {
            all.setProperty("user", user);
        }
        if (password != null) {
            all.setProperty("password", password);
        }
        return all;
    }

    /** Without the password, and without the URL, which may contain one. */
    @Override
    public String toString() {
        return "ConnectionSettings[" + user + "]";
    }
}
