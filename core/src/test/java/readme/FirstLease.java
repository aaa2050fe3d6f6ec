package readme;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AcquireResult;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.time.Duration;

public class FirstLease {
    public static void main(String[] args) throws InterruptedException {
        try (Leases leases = Holdfast.open("memory:")) {
            AcquireOptions term = AcquireOptions.defaults().term(Duration.ofSeconds(30));
            try (Lease lease = leases.tryAcquire(Key.of("deploy"), term).orThrow()) {
                lease.onLost(reason -> System.err.println("stop the deployment: " + reason));
                System.out.println("mine, held: " + lease.isHeld());

                AcquireResult other = leases.acquire(Key.of("deploy"), term, Duration.ofMillis(50));
                System.out.println("another gets it: " + other.isGranted());
            }
            System.out.println("after release: " + leases.tryAcquire("deploy").isGranted());
        }
    }
}
