@NullMarked
package io.leasehold.file;

import org.jspecify.annotations.NullMarked;
