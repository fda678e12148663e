import { DatabaseSync } from 'node:sqlite'

// The tables of the facts. Their collations are not binary, because filters in SQL must not depend on them.

/** Runs a statement and returns its rows. */
export type Execute = (
  sql: string,
  parameters: readonly unknown[],
) => Promise<readonly Record<string, unknown>[]>

/** A database that contains the tables of the facts. */
export interface Opened {
  readonly execute: Execute
  readonly close: () => Promise<void>
}

const create = (types: {
  readonly text: string
  readonly double: string
  readonly timestamp: string
  readonly binary: string
}): readonly string[] => [
  `create table facts (
    id integer primary key,
    exact ${types.text},
    loose ${types.text},
    shown_key ${types.text},
    active boolean,
    done boolean,
    ready boolean,
    grade integer,
    age integer,
    score ${types.double},
    created bigint,
    modified ${types.text},
    key_number integer,
    stamped ${types.timestamp},
    seconds bigint,
    work_link ${types.text},
    tenant integer
  )`,
  `create table fact_tags (id integer primary key, fact_id integer, tag ${types.text})`,
  `create table fact_items (
    id integer primary key,
    fact_id integer,
    tenant integer,
    item ${types.text},
    kind ${types.text},
    rank_number integer,
    is_primary boolean
  )`,
  `create table fact_values (
    fact_id integer,
    attribute ${types.binary},
    position integer,
    value_key ${types.binary},
    type_key ${types.binary},
    is_primary boolean
  )`,
]

export const SQLITE_TABLES: readonly string[] = create({
  text: 'text collate nocase',
  double: 'real',
  timestamp: 'text',
  binary: 'text',
})

export const POSTGRES_TABLES: readonly string[] = create({
  text: 'text',
  double: 'double precision',
  timestamp: 'timestamptz',
  binary: 'text collate "C"',
})

export const MARIADB_TABLES: readonly string[] = create({
  text: 'varchar(200) character set utf8mb4 collate utf8mb4_general_ci',
  double: 'double',
  timestamp: 'datetime(3)',
  binary: 'varchar(700) character set utf8mb4 collate utf8mb4_bin',
})

export function openSqlite(): Opened {
  const database = new DatabaseSync(':memory:')
  for (const statement of SQLITE_TABLES) database.exec(statement)
  return {
    execute: async (sql, parameters) => database.prepare(sql).all(...(parameters as never[])),
    close: async () => database.close(),
  }
}
