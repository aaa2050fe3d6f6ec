package dev.holdfast.examples.shop;

import dev.holdfast.Lease;
import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.Once;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** A job that must run once per period, in whichever instance is first. */
@Component
class SalesReport {
    private final JdbcTemplate database;

    SalesReport(JdbcTemplate database) {
        this.database = database;
    }

    @Once(key = "report-#{#period('${shop.report.period}')}")
    @Transactional
    public void write() {
        Lease lease = CurrentLease.require();
        database.update(
                "INSERT INTO report VALUES (?, ?, ?)",
                lease.key().name(),
                ShopInstance.name(),
                lease.fence().value());
    }
}
