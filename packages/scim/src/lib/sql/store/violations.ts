import { ScimError, uniquenessError } from '../../error.ts'
import type { Fragment } from '../fragment.ts'
import type { Tables } from './column-owner.ts'
import { explainComparison } from './compared-type.ts'
import { type Culprit, culpritOf } from './culprit.ts'
import { findViolation, type Violation } from './database-errors.ts'
import { readStatement } from './failed-statement.ts'
import { explainMistake } from './mistakes.ts'

/** Runs a write, and translates the database's errors in hooks. Those in the store's statements are translated already. */
export async function translateViolations<Value>(
  tables: Tables,
  write: () => Promise<Value>,
): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    throw violationOf(error, tables, null) ?? error
  }
}

/**
 * Decides who is at fault if a database rejects a row. It is the client if the column is in the map and accepts other
 * values of the attribute: the result is a ScimError. Otherwise it is the program: a TypeError that names the column and
 * says what to do. Null for any other error.
 *
 * @param statement the failed statement of the store; null for a hook's
 */
export function violationOf(
  error: unknown,
  tables: Tables,
  statement: Fragment | null,
): ScimError | TypeError | null {
  const isTranslated = error instanceof ScimError || error instanceof TypeError
  const violation = isTranslated ? null : findViolation(error)
  if (violation === null) return null
  const failed = statement && readStatement(statement)
  const isCompared = violation.position !== undefined && violation.columns.length === 0
  if (failed?.isRead || violation.kind === 'operator' || isCompared) {
    return explainComparison(violation, tables, failed)
  }
  const culprit = culpritOf(violation, tables, failed)
  const isReferred = violation.kind === 'reference' && failed?.isDeletion
  if (culprit.owner.by !== 'program' && !isReferred) return clientError(violation, culprit)
  if (failed) return explainMistake(violation, tables, culprit, failed)
  // A hook's value comes from the client's.
  return violation.kind === 'taken' ? uniquenessError(null, { cause: error }) : null
}

/** The client's message names the attribute, and the cause names the column. */
function clientError(
  { kind, error, message }: Violation,
  { table, column, candidates = [], owner }: Culprit,
): ScimError {
  const { attribute } = owner
  const place = [table, column].filter((one) => one !== undefined).join('.')
  const which = candidates.length > 1 ? `, in one of ${candidates.join(', ')}` : ''
  const cause = new Error(`${place} (${attribute ?? 'unknown attribute'}): ${message}${which}`, {
    cause: error,
  })
  if (kind === 'taken') return uniquenessError(attribute, { cause })
  const detail = `${attribute ?? 'a value'} ${WHY[kind]}`
  const options = { scimType: 'invalidValue', attribute: attribute ?? undefined, cause } as const
  return new ScimError(400, detail, options)
}

const NOT_ACCEPTED = 'is not accepted by the database'
const WHY: Readonly<Record<Exclude<Violation['kind'], 'taken'>, string>> = {
  missing: 'is required',
  long: 'is too long',
  reference: 'refers to a resource that does not exist',
  check: NOT_ACCEPTED,
  type: NOT_ACCEPTED,
  range: NOT_ACCEPTED,
  generated: NOT_ACCEPTED,
  operator: NOT_ACCEPTED,
}
