import { lastName, type Tables } from './column-owner.ts'
import type { Culprit } from './culprit.ts'
import type { Violation } from './database-errors.ts'
import type { FailedStatement } from './failed-statement.ts'

/** The error for a rejected row whose value is not a client's. It names the column, and says what to do. */
export function explainMistake(
  violation: Violation,
  tables: Tables,
  culprit: Culprit,
  { isDeletion }: FailedStatement,
): TypeError {
  const { table = '', column } = culprit
  const { options, map } = tables
  const { kind } = violation
  const name = column ?? (kind === 'check' || kind === 'reference' ? undefined : map.id.name)
  const isId = name === map.id.name && lastName(table) === lastName(options.table)
  const place = name === undefined ? table : `${table}.${name}`
  const what =
    kind === 'reference' && isDeletion
      ? `rows of ${violation.table ?? 'another table'} refer to the deleted row of ${options.table}: use "on delete cascade", or delete them in hooks.delete`
      : `${place} ${isId ? adviceForId(violation, name) : adviceFor(violation, tables, culprit)}`
  return new TypeError(what, { cause: violation.error })
}

function adviceForId({ kind }: Violation, column = 'id'): string {
  switch (kind) {
    case 'missing':
      return adviceForKeys(column)
    case 'taken':
      return 'has the new key already: the sequence of its default is behind the rows'
    case 'type':
      return `does not accept the UUIDs that the store creates: map id: { column: '${column}', key: 'integer' } if the database assigns integers`
    default:
      return 'does not accept the UUIDs that the store creates: it must have room for 36 characters'
  }
}

/** The advice for a key column without a default, if the map says that the database assigns keys. */
export function adviceForKeys(column: string): string {
  return `does not have a default, so the database does not assign keys: give it one, or map id: '${column}' if it is text, for UUIDs that the store creates`
}

function adviceFor(
  { kind, constraint }: Violation,
  { options }: Tables,
  { owner, value }: Culprit,
): string {
  switch (kind) {
    case 'missing':
      return `is NOT NULL and not in the map: map it, give it a default, ${options.tenant === undefined ? 'name it as the tenant, ' : ''}or set it in hooks.write`
    case 'taken':
      return `is unique and not in the map, and another row has its value: set it in hooks.write`
    case 'reference':
      return 'refers to a row that does not exist, and is not in the map'
    case 'check':
      return `rejects the row by the check ${constraint}, whose columns are not in the map: map them, or set them in hooks.write`
    case 'long':
    case 'range':
    case 'type':
    case 'operator': {
      const shown = typeof value === 'boolean' ? `${value}` : 'the value'
      return owner.attribute === null
        ? `does not accept ${shown} that the program sends: the tenant, a constant or a value of hooks.write`
        : `does not accept ${shown} of ${owner.attribute}: change the type of the column, or map it with encode and decode`
    }
  }
}

/**
 * The error for a comparison that a column's type does not allow. PostgreSQL names the type, and such a column of keys
 * needs its type in the map. Null for any other type.
 */
export function explainRead(
  { error, message, parameter }: Violation,
  { options }: Tables,
  failed: FailedStatement | null,
): TypeError | null {
  const type = COLUMN_TYPE.exec(message)?.[1] ?? ''
  const key = KEYS[type]
  if (key === undefined) return null
  const column = parameter && failed?.sent[parameter - 1]?.column
  const name = column ? `${options.table}.${column}` : `a column of ${options.table}`
  const isProgram = [options.tenant?.column, ...Object.keys(options.where ?? {})].includes(
    `${column}`,
  )
  const advice = isProgram
    ? ', and the program compares it with another type'
    : `: map it as { column: '${column || '…'}', key: '${key}' }`
  return new TypeError(`${name} has the type ${type}${advice}`, { cause: error })
}

/** The type of the compared column in messages of PostgreSQL. The value behind it may be a client's. */
const COLUMN_TYPE =
  /^(?:collations are not supported by type|invalid input syntax for type|operator does not exist:|function lower\() ?(uuid|bigint|integer|smallint)\b/
const KEYS: Readonly<Record<string, 'uuid' | 'integer'>> = {
  uuid: 'uuid',
  bigint: 'integer',
  integer: 'integer',
  smallint: 'integer',
}
