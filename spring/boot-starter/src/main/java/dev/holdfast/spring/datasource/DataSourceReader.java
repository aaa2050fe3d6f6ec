package dev.holdfast.spring.datasource;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.common.BaseDataSource;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.BeansException;

/** Reads the settings of a DataSource: of HikariCP, of PostgreSQL's driver, or with the usual bean properties. */
final class DataSourceReader {
    private DataSourceReader() {}

    /** The settings; null if they cannot be read. */
    static @Nullable ConnectionSettings read(DataSource source) {
        HikariDataSource pool = unwrap(source, HikariDataSource.class);
        if (pool != null && pool.getJdbcUrl() != null) {
            Properties properties = new Properties();
            properties.putAll(pool.getDataSourceProperties());
            return new ConnectionSettings(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword(), properties);
        }
        BaseDataSource driver = unwrap(source, BaseDataSource.class);
        if (driver == null && pool != null && pool.getDataSource() != null) {
            driver = unwrap(pool.getDataSource(), BaseDataSource.class);
        }
        if (driver != null) {
            return ConnectionSettings.of(driver.getURL(), driver.getUser(), driver.getPassword());
        }
        return readProperties(source);
    }

    private static <T> @Nullable T unwrap(DataSource source, Class<T> type) {
        if (type.isInstance(source)) {
            return type.cast(source);
        }
        try {
            return source.isWrapperFor(type) ? source.unwrap(type) : null;
        } catch (SQLException | RuntimeException e) {
            return null; // A DataSource that does not support this has no settings to read this way.
        }
    }

    private static @Nullable ConnectionSettings readProperties(DataSource source) {
        BeanWrapper bean = new BeanWrapperImpl(source);
        String url = first(bean, "jdbcUrl", "url", "URL");
        return url == null
                ? null
                : ConnectionSettings.of(url, first(bean, "username", "userName", "user"), first(bean, "password"));
    }

    private static @Nullable String first(BeanWrapper bean, String... names) {
        for (String name : names) {
            try {
                if (bean.isReadableProperty(name) && bean.getPropertyValue(name) instanceof String text) {
                    return text;
                }
            } catch (BeansException e) {
                // The next one.
            }
        }
        return null;
    }
}
