@NullMarked
package io.leasehold.state;

import org.jspecify.annotations.NullMarked;
