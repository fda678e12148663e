// The table of the facts, with binary collations without padding, which exactness requires.

export const SQLITE_TABLE = `create table facts (
  id integer primary key,
  exact text,
  loose text,
  shown_key text,
  active integer,
  done integer,
  ready integer,
  grade integer,
  age integer,
  score real,
  created integer,
  modified text
)`

export const POSTGRES_TABLE = `create table facts (
  id integer primary key,
  exact text collate "C",
  loose text collate "C",
  shown_key text collate "C",
  active boolean,
  done boolean,
  ready boolean,
  grade integer,
  age integer,
  score double precision,
  created bigint,
  modified text collate "C"
)`

/** On MySQL 8 the collation is \`utf8mb4_0900_bin\`: \`utf8mb4_bin\` compares \`'a'\` and \`'a '\` as equal. */
export const MARIADB_TABLE = `create table facts (
  id integer primary key,
  exact varchar(200),
  loose varchar(200),
  shown_key varchar(200),
  active boolean,
  done boolean,
  ready boolean,
  grade integer,
  age integer,
  score double,
  created bigint,
  modified varchar(24)
) character set utf8mb4 collate utf8mb4_nopad_bin`
