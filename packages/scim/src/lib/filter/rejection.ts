import { badRequest, type ScimError } from '../error.ts'
import type { AttributeType } from '../schema/types.ts'
import { excerptOf } from './stringify.ts'
import type { Expression } from './tree.ts'

/** Explains why a comparison's value or operator is rejected. The caller knows the comparison. */
export class Rejection {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

/** Throws the error for a rejected comparison, and returns any other outcome. */
export function requireAccepted<Value extends object>(
  outcome: Value | Rejection,
  expression: Expression,
): Value {
  if (outcome instanceof Rejection) throw invalidClause(expression, outcome.why)
  return outcome
}

/** Creates the error for an invalid filter clause. */
export function invalidClause(expression: Expression, why: string): ScimError {
  return badRequest('invalidFilter', `${excerptOf(expression)}: ${why}`)
}

/** The value a comparison requires, for each attribute type. */
export const EXPECTATIONS: Readonly<Record<AttributeType, string>> = {
  string: 'the value must be a string',
  reference: 'the value must be a string',
  binary: 'the value must be a string',
  boolean: 'the value must be true or false',
  integer: 'the value must be a number',
  decimal: 'the value must be a number',
  dateTime: 'the value must be a dateTime such as "2026-01-31T12:00:00Z"',
  complex: 'a complex attribute without a value cannot be compared',
}
