package io.leasehold;

class ElectionMutantsTest extends MutantsContract {
    ElectionMutantsTest() {
        super(ElectionMutants.all());
    }
}
