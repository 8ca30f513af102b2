/** A lease and its state in the memory of one process, for tests and trials. */
@NullMarked
package io.leasehold.memory;

import org.jspecify.annotations.NullMarked;
