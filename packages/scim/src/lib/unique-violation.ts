import { isJsonObject } from './json.ts'

/** How databases report a duplicate value: the SQLSTATE of PostgreSQL, MySQL error numbers, and Prisma's code. */
export const UNIQUE_CODES: ReadonlySet<string> = new Set(['23505', '1062', '1586', 'P2002'])
/** SQLite drivers use different codes, but the same message. */
export const UNIQUE_MESSAGE: RegExp = /^UNIQUE constraint failed/

/** Returns whether a database rejected a duplicate value. Searches causes, because query libraries wrap errors. */
export function isUniqueViolation(error: unknown, depth = 0): boolean {
  if (!isJsonObject(error) || depth > 5) return false
  const { message, code, errno, cause } = error
  return (
    [code, errno].some((one) => UNIQUE_CODES.has(String(one))) ||
    UNIQUE_MESSAGE.test(String(message)) ||
    isUniqueViolation(cause, depth + 1)
  )
}
