import type { AttributeType } from '../schema/types.ts'
import type { Operator } from './tree.ts'

const ALL = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
const ORDERS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const

/** RFC 7644 §3.4.2.2, Table 3: the operators of each type. */
export const OPERATORS_OF_TYPE: Readonly<Record<AttributeType, readonly Operator[]>> = {
  string: ALL,
  reference: ALL,
  binary: ['eq', 'ne', 'co', 'sw', 'ew'],
  boolean: ['eq', 'ne'],
  integer: ORDERS,
  decimal: ORDERS,
  dateTime: ORDERS,
  complex: [],
}
