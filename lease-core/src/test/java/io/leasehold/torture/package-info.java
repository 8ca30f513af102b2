/** Real processes on real files: they are stopped, killed and cheated, and what they wrote down is judged afterwards. */
@NullMarked
package io.leasehold.torture;

import org.jspecify.annotations.NullMarked;
