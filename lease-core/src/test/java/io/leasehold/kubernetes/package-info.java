@NullMarked
package io.leasehold.kubernetes;

import org.jspecify.annotations.NullMarked;
