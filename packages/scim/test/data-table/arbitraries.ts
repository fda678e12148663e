import type { Filter } from '@plumbline/scim/filter'
import fc from 'fast-check'
import { character } from '../characters.ts'
import type { Fact } from './facts.ts'

/** Strings that databases may interpret differently: patterns, columns, escapes, padding, letters of every width. */
const TRICKY = [
  '',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  'B',
  'Ab',
  'ba',
  'z',
  'Z',
  '[',
  '`',
  '0',
  '01',
  '1',
  '1e2',
  '.5',
  'a ',
  ' a',
  'a\t',
  'a\n',
  '\r',
  '\b',
  '\u001a',
  '\u007f',
  '\ufeffa',
  '\u00a0',
  '\u200d',
  '%',
  '_',
  '\\',
  'a%',
  'a_b',
  'a\\b',
  '\\%',
  '%%',
  '*',
  '?',
  '[a]',
  '^',
  '$1',
  ':a',
  '@a',
  "'",
  '"',
  "a'b",
  '`a`',
  '--',
  '/*',
  ';',
  'null',
  'NULL',
  'true',
  'exact',
  'facts.exact',
  'users.title',
  'loose',
  'k',
  'K',
  '\u212a',
  'kim',
  'KI',
  'i',
  'I',
  '\u0130',
  'ı',
  'li',
  'il',
  'É',
  'é',
  'e\u0301',
  'ß',
  'ẞ',
  'SS',
  'Σ',
  'σ',
  'ς',
  'aΣ',
  'Å',
  '\u212b',
  'ﬀ',
  'Ǆ',
  'ǅ',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '😀',
  '😀a',
  '\u{10ffff}',
  'a\u{10ffff}',
  '𐐀',
  '𐐨',
]

/** Strings that every database can store. */
export const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TRICKY) },
  fc.tuple(fc.constantFrom(...TRICKY), fc.constantFrom(...TRICKY)).map((parts) => parts.join('')),
  fc.string({ unit: fc.constantFrom(...'abAB'), maxLength: 3 }),
  // Two letters outside of ASCII fold into it.
  {
    weight: 3,
    arbitrary: fc.string({ unit: fc.constantFrom(...'kKiIa', '\u212a', '\u0130'), maxLength: 2 }),
  },
  fc.string({ unit: character, maxLength: 3 }).map((one) => one.replaceAll('\0', '')),
)

const wholes = [-(2 ** 31), -6, -1, 0, 1, 2, 5, 6, 100, 2 ** 31 - 1]
const decimals = [0, 0.1, 0.3, 0.1 + 0.2, -1.5, 1.5, 1e21, 123456789012345680000, 1e-7, 2 ** 53]
const finite = fc.double({ noDefaultInfinity: true, noNaN: true }).map((one) => one + 0)
const decimal = fc.oneof(fc.constantFrom(...decimals, 5e-324, -Number.MAX_VALUE), finite)

const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const NOON = Date.parse('2026-01-31T12:00:00.000Z')
const instant = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(FIRST, -1, 0, 1, NOON - 1, NOON, NOON + 1, LAST) },
  fc.integer({ min: FIRST, max: LAST }),
)

/** The differences between databases. */
export interface Letters {
  /** Whether `ilike` does not fold U+0130. A database that folds it to i must not contain it. */
  readonly dotted: boolean
}

export function factsOf({ dotted }: Letters): fc.Arbitrary<readonly Fact[]> {
  const loose = dotted ? text : text.map((one) => one.replaceAll('\u0130', 'I'))
  const fact = fc.record({
    exact: fc.option(text),
    loose: fc.option(loose),
    shown: fc.option(text),
    active: fc.option(fc.boolean()),
    done: fc.option(fc.boolean()),
    ready: fc.option(fc.boolean()),
    grade: fc.option(fc.constantFrom(...wholes)),
    age: fc.option(fc.oneof(fc.constantFrom(...wholes), fc.integer())),
    score: fc.option(decimal),
    created: fc.option(instant),
    modified: fc.option(instant),
    tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    other: fc.option(fc.constantFrom('a', 'b')),
  })
  return fc
    .array(fact, { minLength: 12, maxLength: 25 })
    .map((list) => list.map((one, id) => ({ id, ...one })))
}

const orderings = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
const matches = ['co', 'sw', 'ew'] as const

export const wantedText = fc.oneof(
  { weight: 20, arbitrary: text },
  { weight: 4, arbitrary: text.map((one) => one.toUpperCase()) },
  fc.constantFrom('a\0', '\0', '\ud800', 'a\udc00', 'x'.repeat(16_001)),
)
export const wantedInstant = fc
  .tuple(instant, fc.constantFrom('', '0', '1', '0001', '9999'), fc.constantFrom('Z', '+00:00', ''))
  .map(([at, finer, zone]) => new Date(at).toISOString().replace('Z', `${finer}${zone}`))
export const wantedNumber = fc.oneof(
  fc.constantFrom(...wholes, ...wholes.map((one) => one + 0.5)),
  fc.constantFrom(
    2 ** 31,
    -(2 ** 31) - 1,
    -0,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e21,
  ),
  decimal,
)

/** Larger integers are rejected before a filter is translated. */
const wantedInteger = wantedNumber.filter((one) => Math.abs(one) <= Number.MAX_SAFE_INTEGER)

export function comparing(
  names: readonly string[],
  operators: readonly Filter.Operator[],
  value: fc.Arbitrary<Filter.Value>,
): fc.Arbitrary<Filter.Expression> {
  return fc.record({
    type: fc.constant('compare' as const),
    path: fc.constantFrom(...names).map(pathOf),
    operator: fc.constantFrom(...operators),
    value,
  })
}

const TEXTS = ['exact', 'loose', 'shown', 'LOOSE']
const BOOLEANS = ['active', 'done', 'ready']
const NAMES = [
  ...TEXTS,
  ...BOOLEANS,
  'age',
  'score',
  'grade',
  'created',
  'modified',
  'tags',
  'other',
]

const clause: fc.Arbitrary<Filter.Expression> = fc.oneof(
  { weight: 4, arbitrary: comparing(TEXTS, [...orderings, ...matches], wantedText) },
  comparing(BOOLEANS, ['eq', 'ne'], fc.boolean()),
  { weight: 2, arbitrary: comparing(['age', 'grade'], orderings, wantedInteger) },
  comparing(['score'], orderings, wantedNumber),
  { weight: 2, arbitrary: comparing(['created', 'modified'], orderings, wantedInstant) },
  comparing(NAMES, ['eq', 'ne'], fc.constant(null)),
  fc.record({ type: fc.constant('present' as const), path: fc.constantFrom(...NAMES).map(pathOf) }),
)

const unmapped: fc.Arbitrary<Filter.Expression> = fc.oneof(
  comparing(['tags', 'other'], ['eq', 'ne', 'co'], fc.constantFrom('a', 'b')),
  comparing(['value'], ['eq', 'ne'], fc.constantFrom('a', 'b')).map((filter) => ({
    type: 'valuePath' as const,
    path: pathOf('tags'),
    filter,
  })),
)

/** Long enough for a list of values. */
const list: fc.Arbitrary<Filter.Expression> = fc
  .constantFrom(
    ...['exact', 'shown'].map((name) => comparing([name], ['eq'], wantedText)),
    ...['age', 'grade'].map((name) => comparing([name], ['eq'], wantedInteger)),
    comparing(['score'], ['eq'], wantedNumber),
    ...['created', 'modified'].map((name) => comparing([name], ['eq'], wantedInstant)),
    ...BOOLEANS.map((name) => comparing([name], ['eq'], fc.boolean())),
  )
  .chain((equal) =>
    fc.record({
      type: fc.constant('logical' as const),
      operator: fc.constant('or' as const),
      operands: fc.array(fc.oneof({ weight: 20, arbitrary: equal }, clause), {
        minLength: 17,
        maxLength: 20,
      }),
    }),
  )

/** Filters of every shape that `compileFilter` accepts. */
export const filter: fc.Arbitrary<Filter.Expression> = fc.letrec<{
  filter: Filter.Expression
  leaf: Filter.Expression
}>((tie) => ({
  leaf: fc.oneof({ weight: 20, arbitrary: clause }, { weight: 2, arbitrary: unmapped }, list),
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 4, arbitrary: tie('leaf') },
    tie('filter').map((operand) => ({ type: 'not' as const, operand })),
    fc.record({
      type: fc.constant('logical' as const),
      operator: fc.constantFrom('and' as const, 'or' as const),
      operands: fc.array(tie('filter'), { minLength: 2, maxLength: 4 }),
    }),
  ),
})).filter

export function pathOf(path: string): Filter.AttributePath {
  const [attribute = '', subAttribute = null] = path.split('.')
  return { schema: null, attribute, subAttribute }
}
