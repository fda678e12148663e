import type { Filter } from '@plumbline/scim/filter'
import fc from 'fast-check'
import * as base from '../data-table/arbitraries.ts'
import type { Fact } from './facts.ts'

const { text, wantedText, wantedInstant, wantedNumber, comparing } = base

/** Rows with values in other tables. */
export const facts: fc.Arbitrary<readonly Fact[]> = base
  .factsOf({ dotted: true })
  .chain((list) =>
    fc.tuple(...list.map(() => more)).map((all) => list.map((one, at) => ({ ...one, ...all[at] }))),
  ) as fc.Arbitrary<readonly Fact[]>

const more = fc.record({
  items: fc.array(
    fc.record({
      value: fc.option(text),
      type: fc.option(fc.constantFrom('a', 'b', 'B')),
      rank: fc.option(fc.integer({ min: 0, max: 3 })),
      primary: fc.option(fc.boolean()),
    }),
    { maxLength: 3 },
  ),
  work: fc.option(text),
})

const ORDERS = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
const TEXT = [...ORDERS, 'co', 'sw', 'ew'] as const
const TESTS = ['eq', 'ne'] as const
const type = fc.constantFrom('a', 'b', 'B', 'c')
const rank = fc.integer({ min: 0, max: 3 })
const linkType = fc.constantFrom('work', 'Work', 'home')

/** Comparisons of the parts of an item, under a path or inside of brackets. */
function itemClause(prefix: string): fc.Arbitrary<Filter.Expression> {
  const path = (name: string) => [`${prefix}${name}`]
  const names = ['value', 'type', 'rank', 'primary'].flatMap(path)
  return fc.oneof(
    { weight: 3, arbitrary: comparing(path('value'), TEXT, wantedText) },
    { weight: 3, arbitrary: comparing(path('type'), TEXT, type) },
    comparing(path('rank'), ORDERS, rank),
    comparing(path('primary'), TESTS, fc.boolean()),
    comparing(names, TESTS, fc.constant(null)),
    presence(names),
    comparing(path('other'), TESTS, type),
  )
}

function linkClause(prefix: string): fc.Arbitrary<Filter.Expression> {
  const path = (name: string) => [`${prefix}${name}`]
  return fc.oneof(
    comparing(path('value'), TEXT, wantedText),
    comparing(path('type'), TEXT, linkType),
    comparing([...path('value'), ...path('type')], TESTS, fc.constant(null)),
    presence([...path('value'), ...path('type')]),
  )
}

function presence(names: readonly string[]): fc.Arbitrary<Filter.Expression> {
  const path = fc.constantFrom(...names).map(base.pathOf)
  return fc.record({ type: fc.constant('present' as const), path })
}

function combined(clause: fc.Arbitrary<Filter.Expression>): fc.Arbitrary<Filter.Expression> {
  return fc.letrec<{ filter: Filter.Expression }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 4, arbitrary: clause },
      tie('filter').map((operand) => ({ type: 'not' as const, operand })),
      fc.record({
        type: fc.constant('logical' as const),
        operator: fc.constantFrom('and' as const, 'or' as const),
        operands: fc.array(tie('filter'), { minLength: 2, maxLength: 4 }),
      }),
    ),
  })).filter
}

function valuePath(
  name: string,
  inner: fc.Arbitrary<Filter.Expression>,
): fc.Arbitrary<Filter.Expression> {
  return inner.map((filter) => ({ type: 'valuePath' as const, path: base.pathOf(name), filter }))
}

const key = fc.oneof(
  fc.constantFrom('', '0', '-0', '00', '1', '+1', '1.0', '-6', 'a', '1e2', '9223372036854775808'),
  wantedNumber.map(String),
)

const clause = fc.oneof(
  { weight: 6, arbitrary: base.filter },
  { weight: 3, arbitrary: itemClause('items.') },
  { weight: 4, arbitrary: valuePath('items', combined(itemClause(''))) },
  comparing(['items'], ['eq', 'ne', 'co'], wantedText),
  comparing(['items', 'links', 'tags'], TESTS, fc.constant(null)),
  presence(['items', 'links', 'tags']),
  { weight: 2, arbitrary: linkClause('links.') },
  { weight: 2, arbitrary: valuePath('links', combined(linkClause(''))) },
  comparing(['tags'], TEXT, type),
  valuePath('tags', combined(comparing(['value'], TEXT, type))),
  comparing(['key'], TEXT, key),
  comparing(['stamped', 'seconds'], ORDERS, wantedInstant),
  comparing(['stamped', 'seconds'], TESTS, fc.constant(null)),
)

/** Filters of every shape that `compileFilter` accepts. */
export const filter: fc.Arbitrary<Filter.Expression> = combined(clause)
