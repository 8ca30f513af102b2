package io.leasehold;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Makes the texts that tell holders and claims apart. */
final class HolderIds {
    private static final int HOLDER_BYTES = 6;
    private static final int CLAIM_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private HolderIds() {}

    /** The host's name and the process id. */
    static String defaultPrefix() {
        return hostName() + "-" + ProcessHandle.current().pid();
    }

    /** A holder id that no other start of any lease object has. */
    static String newHolderId(String prefix) {
        return prefix + "-" + randomHex(HOLDER_BYTES);
    }

    /** A text that no other claim has. */
    static String newClaim() {
        return randomHex(CLAIM_BYTES);
    }

    private static String randomHex(int bytes) {
        byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }
}
