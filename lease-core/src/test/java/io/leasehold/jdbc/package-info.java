@NullMarked
package io.leasehold.jdbc;

import org.jspecify.annotations.NullMarked;
