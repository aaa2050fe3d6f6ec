package dev.holdfast.examples.shop;

import dev.holdfast.spring.Leader;
import dev.holdfast.spring.LeaderEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Work for one instance at a time: the leader reads the feed of prices. */
@Component
class PriceFeed {
    private static final Logger log = LoggerFactory.getLogger(PriceFeed.class);

    /** Runs while this instance leads; the thread is interrupted at the end. */
    @Leader("price-feed")
    public void read(LeaderEvent.Elected elected) throws InterruptedException {
        while (elected.lease().isHeld()) {
            log.debug("new prices, written with fence {}", elected.lease().fence());
            Thread.sleep(1_000);
        }
    }

    @Leader("price-feed")
    public void stopped(LeaderEvent.Lost lost) {
        log.info("another instance reads the prices now");
    }
}
