package dev.holdfast.examples.shop;

/** The name of this instance, for reports. */
final class ShopInstance {
    private ShopInstance() {}

    static String name() {
        return "shop-" + ProcessHandle.current().pid();
    }
}
