package io.leasehold;

class DatabaseMutantsTest extends MutantsContract {
    DatabaseMutantsTest() {
        super(DatabaseMutants.all());
    }
}
