package io.leasehold.sample.demo;

import java.util.List;
import java.util.SortedSet;

/**
 * What the histories of a run and the final checkpoint show.
 *
 * @param published how many events were published
 * @param acknowledged how many of them a replica has noted as acknowledged
 * @param storedUnseen how many are in the final checkpoint although nobody noted an acknowledgement: the replica was
 *     killed between commit and note, or its commit was refused with the outcome unknown and the successor had read it
 * @param twice the events that were acknowledged under two epochs
 * @param lost the events that were never worked on, or are above the final checkpoint
 * @param fenced how many times work was done and its commit then refused by the store
 * @param tooLate how many times work was done and its commit then refused because the replica's term had ended
 * @param unknown how many times work was done and the outcome of its commit then unknown: the store failed, or the term
 *     ended while the commit was on its way; the event was worked on again, unless a successor found it stored
 * @param checkpoint the final checkpoint
 * @param epochs the epochs in the order in which they began
 * @param handOvers from term to term
 * @param faults whatever else is wrong, a sentence each
 */
record Verdict(
        long published,
        long acknowledged,
        long storedUnseen,
        SortedSet<Long> twice,
        SortedSet<Long> lost,
        long fenced,
        long tooLate,
        long unknown,
        long checkpoint,
        List<Long> epochs,
        List<HandOver> handOvers,
        List<String> faults) {

    /** Whether nothing was lost, nothing acknowledged twice, and nothing else is wrong. */
    boolean good() {
        return twice.isEmpty() && lost.isEmpty() && faults.isEmpty();
    }
}
