/** A lease and its fenced state in directories of a shared file system. */
@NullMarked
package io.leasehold.file;

import org.jspecify.annotations.NullMarked;
