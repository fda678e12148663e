import { expect, it } from 'vitest'
import type { AttributeType } from '../schema/types.ts'
import { compare, isNull, logical, notNull } from './predicate.ts'
import { translateUntyped, translateUntypedPresent } from './untyped.ts'

const TYPES: Readonly<Record<Exclude<AttributeType, 'complex'>, 'text' | 'other'>> = {
  string: 'text',
  reference: 'text',
  binary: 'text',
  // A column of instants may be of a type that a database does not compare with a string.
  dateTime: 'other',
  boolean: 'other',
  integer: 'other',
  decimal: 'other',
}

it.each(Object.entries(TYPES))('pr on a %s in a column without a type tests %s', (type, kind) => {
  const column = { kind: 'exact', name: 'c', type: type as AttributeType } as const
  const text = [compare('c', 'ne', ''), logical('or', [isNull('c'), compare('c', 'eq', '')])]
  const [present, absent] = kind === 'text' ? text : [notNull('c'), isNull('c')]
  expect(translateUntypedPresent(column, false)).toEqual({ exact: present })
  expect(translateUntypedPresent(column, true)).toEqual({ exact: absent })
})

const VALUES = { string: 'a', number: 5, boolean: true } as const
const all = { escapes: true, negations: true, selections: true }

it.each<[AttributeType, keyof typeof VALUES]>([
  ['string', 'string'],
  ['reference', 'string'],
  ['binary', 'string'],
  ['dateTime', 'string'],
  ['integer', 'number'],
  ['decimal', 'number'],
  ['boolean', 'boolean'],
])('an attribute with type %s is compared only with a %s', (type, accepted) => {
  const column = { kind: 'exact', name: 'c', type } as const
  for (const [kind, value] of Object.entries(VALUES)) {
    const reason = `the attribute is of type ${type}, not ${kind}`
    expect(translateUntyped(column, 'eq', value, all)).toEqual(
      kind === accepted ? { exact: compare('c', 'eq', value) } : { reason, superset: null },
    )
  }
})
