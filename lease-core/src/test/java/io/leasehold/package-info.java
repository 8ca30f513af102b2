@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
