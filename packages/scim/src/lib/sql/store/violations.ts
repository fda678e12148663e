import { ScimError, uniquenessError } from '../../error.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import { UNIQUE_CODES, UNIQUE_MESSAGE } from '../../unique-violation.ts'
import type { StoreMap } from './fields.ts'

/** Runs a write, and translates violated database constraints into SCIM errors. */
export async function translateViolations<Value>(
  map: StoreMap,
  write: () => Promise<Value>,
): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    throw violationOf(error, map) ?? error
  }
}

/**
 * Translates a database error into a SCIM error; null for any other error. Searches causes, because query libraries
 * wrap errors.
 */
export function violationOf(error: unknown, map: StoreMap, depth = 0): ScimError | null {
  if (error instanceof ScimError || !isJsonObject(error) || depth > 5) return null
  const { message, code, errno, cause } = error
  const codes = [code, errno].map(String)
  const rule = RULES.find(
    (one) => codes.some((each) => one.codes.has(each)) || one.pattern.test(String(message)),
  )
  if (rule === undefined) return violationOf(cause, map, depth + 1)
  const attribute = attributeIn(withoutValues(error), map)
  if (rule.why === null) return uniquenessError(attribute, { cause: error })
  const options = { attribute: attribute ?? undefined, cause: error }
  const detail = `${attribute ?? 'a value'} ${rule.why}`
  return new ScimError(400, detail, { scimType: 'invalidValue', ...options })
}

/** Collects the names in an error. Values are removed: they come from the client and may look like names. */
function withoutValues({ message, detail, constraint, column }: JsonObject): string {
  const key = /^Key \(([^=]*)\)=/.exec(String(detail))?.[1]
  const text = String(message)
    .replace(/^Duplicate entry .* for key /s, '')
    .replace(/: ".*$/s, '')
  return [key, constraint, column, text].filter((one) => typeof one === 'string').join(' ')
}

/** Finds the attribute whose column an error names. The longest name wins: `email` is a part of `email_verified`. */
function attributeIn(text: string, { fields, values }: StoreMap): string | null {
  const columns = [
    ...fields.map(({ column, path }) => ({ column, path })),
    ...values.map(({ node, table }) => ({ column: table.table, path: node.name })),
  ]
  const words = new Set(text.split(/[^\p{L}\p{N}_$]+/u))
  const exact = columns.find(({ column }) => words.has(column))
  if (exact) return exact.path
  const named = columns.filter(({ column }) => text.includes(column))
  return named.sort((a, b) => b.column.length - a.column.length)[0]?.path ?? null
}

interface Rule {
  /** PostgreSQL SQLSTATE codes and MySQL error numbers. */
  readonly codes: ReadonlySet<string>
  /** SQLite messages, because its drivers use different codes. */
  readonly pattern: RegExp
  /** Why the value is rejected; null if another row has it. */
  readonly why: string | null
}

const RULES: readonly Rule[] = [
  {
    codes: UNIQUE_CODES,
    pattern: UNIQUE_MESSAGE,
    why: null,
  },
  {
    codes: new Set(['23502', '1048', '1364']),
    pattern: /^NOT NULL constraint failed/,
    why: 'is required',
  },
  {
    codes: new Set(['22001', '1406']),
    pattern: /^string or blob too big/,
    why: 'is too long',
  },
  {
    codes: new Set(['23503', '1451', '1452']),
    pattern: /^FOREIGN KEY constraint failed/,
    why: 'refers to a resource that does not exist, or that is in use',
  },
  {
    codes: new Set([
      '23514',
      '22003',
      '22P02',
      '22007',
      '22008',
      '3819',
      '4025',
      '1264',
      '1265',
      '1292',
      '1366',
    ]),
    pattern: /^CHECK constraint failed|^cannot store .* value in/,
    why: 'is not a value that the database accepts',
  },
]
