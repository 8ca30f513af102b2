@NullMarked
package io.leasehold.json;

import org.jspecify.annotations.NullMarked;
