package dev.holdfast.examples.shop;

import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.Leased;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A request that must not run twice at the same time for one order, in any instance. */
@RestController
class OrderController {
    @PostMapping("/orders/{id}/ship")
    @Leased(key = "#{#id}", namespace = "orders", waitFor = "5s", term = "30s")
    public String ship(@PathVariable("id") String id) {
        return id + " shipped by " + ShopInstance.name() + ", fence "
                + CurrentLease.require().fence();
    }
}
