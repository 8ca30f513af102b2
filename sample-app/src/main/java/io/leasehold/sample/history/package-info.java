/** What each process of the sample did, line by line, in a file of its own. */
@NullMarked
package io.leasehold.sample.history;

import org.jspecify.annotations.NullMarked;
