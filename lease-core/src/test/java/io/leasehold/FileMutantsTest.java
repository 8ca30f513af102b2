package io.leasehold;

class FileMutantsTest extends MutantsContract {
    FileMutantsTest() {
        super(FileMutants.all());
    }
}
