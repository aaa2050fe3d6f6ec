package dev.holdfast.examples.shop;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** The schedule of the report. It fires in every instance. */
@Component
class ReportSchedule {
    private final JdbcTemplate database;
    private final SalesReport report;

    ReportSchedule(JdbcTemplate database, SalesReport report) {
        this.database = database;
        this.report = report;
    }

    @Scheduled(cron = "${shop.report.cron}")
    void attempt() {
        database.update("INSERT INTO report_attempt VALUES (?)", ShopInstance.name());
        report.write();
    }
}
