import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import type { Attribute, Definitions } from '../schema/types.ts'
import { createWorkBudget } from '../work-budget.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'

const text = (name: string, rest: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  ...rest,
})
const THING = 'urn:example:2.0:Thing'
const definitions: Definitions = {
  [THING]: {
    id: THING,
    name: 'Thing',
    attributes: [
      text('known', { multiValued: true, mutability: 'readOnly' }),
      text('marks', { multiValued: true, mutability: 'immutable' }),
      text('codes', { multiValued: true }),
      { name: 'profile', type: 'complex', subAttributes: [text('langs', { multiValued: true })] },
      {
        name: 'parts',
        type: 'complex',
        multiValued: true,
        subAttributes: [
          text('value'),
          text('type'),
          text('note'),
          { name: 'link', type: 'reference' },
        ],
      },
    ],
  },
}

/** The steps that operations on a resource spend from the budget. */
function stepsOf(resource: object, ...Operations: object[]): number {
  const budget = createWorkBudget()
  const { remaining } = budget
  const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
  unwrap(applyPatch(resource, operations, { definitions, tolerate: ['remove-missing'], budget }))
  return remaining - budget.remaining
}

const COUNT = 500
const values = Array.from({ length: COUNT }, (_, at) => `v${at}`)
const parts = values.map((value) => ({ value, type: 'x' }))

describe('a PATCH spends one step per value it reads, copies or compares', () => {
  it.each<
    [what: string, steps: [least: number, most: number], resource: object, operation: object]
  >([
    [
      'a read-only list sent back',
      [COUNT, COUNT],
      { known: values },
      { op: 'replace', path: 'known', value: values },
    ],
    [
      'an immutable list, which is compared after the operation',
      [COUNT, 2 * COUNT],
      { marks: values },
      { op: 'add', path: 'marks', value: ['v1'] },
    ],
    [
      "a part's values, which are copied and indexed",
      [3 * COUNT, 4 * COUNT],
      { profile: { langs: values } },
      { op: 'add', path: 'profile.langs', value: ['new'] },
    ],
    [
      'all values without a filter',
      [COUNT, 2 * COUNT],
      { parts },
      { op: 'remove', path: 'parts.note' },
    ],
    [
      'all values with a filter without an index',
      [COUNT, 3 * COUNT],
      { parts },
      { op: 'remove', path: 'parts[note pr]' },
    ],
    [
      'values an index finds for a filter',
      [COUNT, 3 * COUNT],
      { parts },
      { op: 'remove', path: 'parts[type eq "x" and note pr]' },
    ],
    [
      'values an index finds for a value',
      [COUNT, 2 * COUNT],
      { parts },
      { op: 'remove', path: 'parts', value: [{ type: 'x' }] },
    ],
    [
      'no values if the index of another part finds few',
      [1, 40],
      { parts },
      { op: 'remove', path: 'parts', value: [{ type: 'x', value: 'v1' }] },
    ],
    [
      'no values if an index finds few for a filter',
      [1, 40],
      { parts },
      { op: 'remove', path: 'parts[value eq "v1"]' },
    ],
    [
      'no values if an index finds few for one term of a filter',
      [1, 40],
      { parts },
      { op: 'remove', path: 'parts[note pr and value eq "v1"]' },
    ],
    [
      'no values if an index of references finds few',
      [1, 40],
      { parts: values.map((link) => ({ link })) },
      { op: 'remove', path: 'parts[link eq "v1"]' },
    ],
    [
      'only the values that the index of the rarest part finds',
      [20, 60],
      { parts: values.map((value, at) => ({ type: at < 20 ? 'y' : 'x', note: 'n', value })) },
      { op: 'remove', path: 'parts', value: [{ type: 'y', note: 'n' }] },
    ],
    [
      'no values of a simple list if an index finds few',
      [1, 40],
      { codes: values },
      { op: 'remove', path: 'codes[value eq "V1"]' },
    ],
  ])('a PATCH spends steps for %s: %j', (_, [least, most], resource, operation) => {
    const steps = stepsOf(resource, operation)
    expect(steps).toBeGreaterThanOrEqual(least)
    expect(steps).toBeLessThanOrEqual(most)
  })
})
