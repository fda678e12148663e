import { isTable, type Owner, ownersOf, type Tables } from './column-owner.ts'
import type { Violation } from './database-errors.ts'
import { columnAt, type FailedStatement, type Place, tableAt } from './failed-statement.ts'

/**
 * The error for a comparison that a column's type does not allow: PostgreSQL names the type, and points to the column or
 * to the parameter. Null for any other error of a statement.
 */
export function explainComparison(
  violation: Violation,
  tables: Tables,
  failed: FailedStatement | null,
): TypeError | null {
  const type = typeIn(violation.message)
  const place = failed && placeIn(violation, failed)
  if (failed === null || type === null || (place === null && !failed.isRead)) return null
  const { error: cause, message } = violation
  if (place === null) {
    const what = `${failed.table}: ${message}: a column has another type than in the map`
    return new TypeError(`${what}. Name its type there, or map it with encode and decode`, {
      cause,
    })
  }
  const table = tableAt(failed, place) ?? tables.options.table
  const owners = ownersOf(tables, table)
  const owner = owners.get(place.column) ?? null
  const advice = adviceFor(type, { table, column: place.column }, owner)
  return new TypeError(`${table}.${place.column} has the type ${type}${advice}`, { cause })
}

/** Returns the column that an error points to; null if it does not say it. */
function placeIn({ position, parameter }: Violation, failed: FailedStatement): Place | null {
  if (position !== undefined) return columnAt(failed, position)
  const { table, column } = failed.sent[(parameter ?? 0) - 1] ?? {}
  return column === undefined ? null : { table, column }
}

/** Returns the column's type in a message. The value behind it may be a client's. */
function typeIn(message: string): string | null {
  const call = CALL.exec(message)?.[1]
  const inCall = call?.split(', ').find((one) => one !== 'unknown')
  return inCall ?? TYPES.flatMap((type) => type.exec(message)?.[1] ?? [])[0] ?? null
}

function adviceFor(type: string, place: KeyPlace, owner: Owner | null): string {
  if (owner?.key !== undefined) return adviceForKeys(type, place, owner.key)
  if (owner === null || owner.attribute === null) {
    return ', and the program compares it with another type'
  }
  const entry = entryFor(type, place.column, owner)
  const advice = entry === null ? OTHER_ENTRY : `map it as ${entry}`
  return `, which cannot be compared with ${owner.attribute}: ${advice}`
}

type KeyPlace = NonNullable<Owner['key']>

function adviceForKeys(type: string, place: KeyPlace, { table, column }: KeyPlace): string {
  const isSame = isTable(table, place.table) && column === place.column
  const what = isSame ? 'map it' : `map ${table}.${column}`
  const key = type === 'uuid' ? 'uuid' : NUMBERS.test(type) ? 'integer' : null
  if (key !== null) return `: ${what} as { column: '${column}', key: '${key}' }`
  return TEXTS.test(type)
    ? `: ${what} as '${column}', without key`
    : ', which is not a type of keys: change it to text, uuid or bigint'
}

/** Returns the entry for an attribute in a column of a type; null if it depends on the values. */
function entryFor(type: string, column: string, { codec }: Owner): string | null {
  if (codec === null || codec === 'json' || !('kind' in codec)) return null
  const instants = (format: string): string =>
    `{ column: '${column}', type: 'dateTime', format: ${format} }`
  switch (codec.kind) {
    case 'boolean':
      return NUMBERS.test(type) ? `{ column: '${column}', encode: Number, decode: Boolean }` : null
    case 'dateTime':
      if (NUMBERS.test(type)) return instants("'milliseconds' or 'seconds'")
      return TEXTS.test(type) ? instants("'text'") : null
    case 'exact':
    case 'ilike':
    case 'folded':
      return /^jsonb?$/.test(type) ? `{ column: '${column}', type: 'json' }` : null
    case 'key':
      return TEXTS.test(type) ? `'${column}'` : null
    case 'integer':
    case 'decimal':
      return null
  }
}

const OTHER_ENTRY =
  'change the type of the column, or map it with encode and decode, so that its filters run in memory'
const NUMBERS = /^(?:bigint|integer|smallint|numeric)$/
const TEXTS = /^(?:text|character varying|character|citext)$/

/** A function's types, without the value of a client. */
const CALL = /^function [\w.]+\((.*)\) does not exist$/
const TYPES: readonly RegExp[] = [
  /^collations are not supported by type (.+)$/,
  /^invalid input syntax for type ([\w ]+)/,
  /^invalid input value for enum ([\w.]+):/,
  /^operator does not exist: (.+?) [^\w\s"]+ /,
  /^cannot cast type (.+) to /,
  /^argument of .+ must be type boolean, not type (.+)$/,
]
