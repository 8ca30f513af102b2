/** What the sample's processes have in common. */
@NullMarked
package io.leasehold.sample.process;

import org.jspecify.annotations.NullMarked;
