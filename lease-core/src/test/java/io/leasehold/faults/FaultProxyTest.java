package io.leasehold.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class FaultProxyTest {

    @Test
    void theRequestThatIsHeldMayComeOnANewConnectionAndLaterOnesPassItBy() throws Exception {
        InetAddress local = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 10, local);
                FaultProxy proxy = new FaultProxy(server.getLocalPort())) {
            proxy.holdRequests();
            try (Socket first = new Socket(local, proxy.port());
                    Socket ofFirst = server.accept()) {
                first.getOutputStream().write(1);
                await().until(proxy::holdsRequests);
                try (Socket second = new Socket(local, proxy.port());
                        Socket ofSecond = server.accept()) {
                    second.getOutputStream().write(2);
                    assertThat(ofSecond.getInputStream().read()).isEqualTo(2);
                }
                assertThat(ofFirst.getInputStream().available()).isZero();
                proxy.deliver();
                assertThat(ofFirst.getInputStream().read()).isOne();
            }
        }
    }
}
