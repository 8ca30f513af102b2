-- Texts are compared exactly: upper and lower case, accents and trailing blanks count.
-- Leases, one row each. The library writes all columns; people read them.
create table if not exists lease (
    name varchar(200) not null primary key,
    -- The number of the holder's term; it never goes back.
    epoch bigint not null,
    -- Rises with every write of the term.
    sequence bigint not null,
    holder varchar(400) not null,
    claim varchar(200) not null,
    -- How long the row counts after its last change, as in PT30S.
    ttl varchar(64) not null,
    -- By the holder's clock, in UTC; for people, and for a process that starts after everybody has gone.
    expires_at varchar(64) not null,
    released varchar(5) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What leaders keep from term to term, one row each lease.
create table if not exists lease_state (
    name varchar(200) not null primary key,
    lease_id varchar(400) not null,
    holder varchar(400) not null,
    epoch bigint not null,
    sequence bigint not null,
    entries longtext not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
