package readme;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import java.time.Duration;

public class FirstLease {
    public static void main(String[] args) throws Exception {
        try (Leases leases = Holdfast.open("memory:")) {
            Key key = Key.of("deploy");
            AcquireOptions term = AcquireOptions.defaults().term(Duration.ofSeconds(30));

            boolean denied = leases.call(key, term, lease -> {
                System.out.println("mine, held: " + lease.isHeld());
                AcquireResult other = leases.acquire(key, term, Duration.ofMillis(50));
                return !other.isGranted();
            });

            System.out.println("denied to others meanwhile: " + denied);
            System.out.println(
                    "free afterwards: " + !leases.get(key).orElseThrow().isHeld());
        }
    }
}
