package io.leasehold;

class ServerMutantsTest extends MutantsContract {
    ServerMutantsTest() {
        super(ServerMutants.all());
    }
}
