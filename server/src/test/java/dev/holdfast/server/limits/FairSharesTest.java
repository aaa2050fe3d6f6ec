package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.security.ClientName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class FairSharesTest {
    private static int takeAll(FairShares shares, String client) {
        int taken = 0;
        while (shares.take(client, 1)) {
            taken++;
        }
        return taken;
    }

    @Test
    void eachGreedyClientGetsFourFifthsOfTheRemainingPlaces() {
        FairShares shares = new FairShares(1_000);

        assertThat(takeAll(shares, "ann")).isEqualTo(800);
        assertThat(takeAll(shares, "bob")).isEqualTo(160);
        assertThat(takeAll(shares, "carl")).isEqualTo(32);
        assertThat(takeAll(shares, "dora")).isEqualTo(7);
        assertThat(takeAll(shares, "emil")).isEqualTo(1);
        assertThat(takeAll(shares, "fay")).isZero();
        assertThat(shares.total()).isEqualTo(1_000);
    }

    @Test
    void evenTheSmallestServerServesItsOnlyClient() {
        assertThat(takeAll(new FairShares(1), "ann")).isEqualTo(1);
        assertThat(takeAll(new FairShares(2), "ann")).isEqualTo(2);
    }

    @Test
    void placesThatAreReturnedCanBeTakenAgain() {
        FairShares shares = new FairShares(1_000);
        int first = takeAll(shares, "ann");
        shares.leave("ann", first);

        assertThat(shares.total()).isZero();
        assertThat(takeAll(shares, "bob")).isEqualTo(first);
    }

    @Test
    void manyPlacesAreTakenAsIfOneByOne() {
        FairShares shares = new FairShares(1_000);

        assertThat(shares.take("ann", 801)).isFalse();
        assertThat(shares.total()).isZero();
        assertThat(shares.take("ann", 800)).isTrue();
        assertThat(shares.take("bob", 2_000)).isFalse();
        assertThat(shares.take("bob", 160)).isTrue();
    }

    @Test
    void addressesOfOneNetworkShareOneShare() throws UnknownHostException {
        String first = ClientName.ofAddress(InetAddress.getByName("2001:db8:1:2::1"));

        assertThat(ClientName.ofAddress(InetAddress.getByName("2001:db8:1:2:ffff::9")))
                .isEqualTo(first);
        assertThat(ClientName.ofAddress(InetAddress.getByName("2001:db8:1:3::1")))
                .isNotEqualTo(first);
        assertThat(ClientName.ofAddress(InetAddress.getByName("10.0.0.1")))
                .isNotEqualTo(ClientName.ofAddress(InetAddress.getByName("10.0.0.2")));
    }
}
