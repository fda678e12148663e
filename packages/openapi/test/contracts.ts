import fc from 'fast-check'

/** The values of a type, as data, so that a counterexample is readable. */
export type Kind =
  | { readonly kind: 'string'; readonly min: number; readonly max: number }
  | { readonly kind: 'enum'; readonly values: readonly [string, ...string[]] }
  | { readonly kind: 'int'; readonly min: number; readonly max: number }
  | { readonly kind: 'number'; readonly above: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'word-or-int'; readonly word: string }
  | { readonly kind: 'int-or-words'; readonly word: string; readonly max: number }
  | { readonly kind: 'array'; readonly of: Kind; readonly min: number; readonly max: number }
  | { readonly kind: 'record'; readonly of: Kind }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'word-or-object'; readonly word: string; readonly fields: readonly Field[] }
  | { readonly kind: 'nullable'; readonly of: Kind }
  | { readonly kind: 'file' }

/** A key of an object. */
export interface Field {
  readonly name: string
  readonly kind: Kind
  readonly isOptional: boolean
  /** Whether the schema has a name, so that the document refers to it. */
  readonly isNamed: boolean
}

/** Names of members of `Object.prototype`, one for each position. */
const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'] as const

// Valibot ignores the key `constructor` of a record.
const [, ...IN_RECORDS] = INHERITED

const size = { min: fc.nat(2), max: fc.integer({ min: 2, max: 4 }) }
const words = fc.constantFrom('a', 'auto', 'no', 'truest', '1a', 'é')

/** Kinds that one string can contain. */
export const scalars: fc.Arbitrary<Kind> = fc.oneof(
  fc.record({ kind: fc.constant('string'), ...size }),
  fc.record({
    kind: fc.constant('enum'),
    values: fc.constantFrom(['a', 'b'] as const, ['1', '2'] as const, ['true', 'x'] as const),
  }),
  fc.record({ kind: fc.constant('int'), min: fc.integer({ min: -3, max: 0 }), max: fc.nat(20) }),
  fc.record({ kind: fc.constant('number'), above: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ kind: fc.constant('boolean') }),
  fc.record({ kind: fc.constant('word-or-int'), word: words }),
)

const arrays = (of: fc.Arbitrary<Kind>): fc.Arbitrary<Kind> =>
  fc.record({ kind: fc.constant('array'), of, ...size })

/** Kinds that a repeated key can contain. */
export const lists: fc.Arbitrary<Kind> = fc.oneof(
  { weight: 5, arbitrary: scalars },
  { weight: 5, arbitrary: arrays(scalars) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('int-or-words'), word: words, max: size.max }),
  },
)

/** Kinds that JSON can contain. */
export const nested: fc.Arbitrary<Kind> = fc.letrec<{ kind: Kind }>((tie) => ({
  kind: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalars,
    arrays(tie('kind')),
    fc.record({ kind: fc.constant('record'), of: tie('kind') }),
    fc.record({ kind: fc.constant('object'), fields: fieldsOf(tie('kind'), 'inner') }),
  ),
})).kind

const objects: fc.Arbitrary<Kind> = fc.record({
  kind: fc.constant('object'),
  fields: fieldsOf(nested, 'inner'),
})

/** Kinds that a form can contain, except files. */
export const formed: fc.Arbitrary<Kind> = fc.oneof(
  lists,
  objects,
  arrays(objects),
  arrays(arrays(nested)),
  fc.record({ kind: fc.constant('nullable'), of: fc.oneof(objects, arrays(objects)) }),
  fc.record({
    kind: fc.constant('word-or-object'),
    word: words,
    fields: fieldsOf(nested, 'inner'),
  }),
)

const file = fc.record({ kind: fc.constant('file') })

/** Kinds that a multipart form can contain. */
export const parted: fc.Arbitrary<Kind> = fc.oneof(
  { weight: 4, arbitrary: formed },
  { weight: 1, arbitrary: fc.oneof(file, arrays(file)) },
)

/** Up to four keys, each called after its position, or like a member of `Object.prototype`. */
export function fieldsOf(kind: fc.Arbitrary<Kind>, prefix: string): fc.Arbitrary<Field[]> {
  const field = fc.record({
    kind,
    isOptional: fc.boolean(),
    isNamed: fc.boolean(),
    isInherited: fc.oneof(
      { weight: 5, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  })
  return fc.array(field, { maxLength: INHERITED.length }).map((fields) =>
    fields.map(({ isInherited, ...one }, at) => ({
      ...one,
      name: (isInherited && INHERITED[at]) || `${prefix}-${at}`,
    })),
  )
}

/**
 * The same keys for a library that accepts a list as an object: each object has one more required key,
 * which no list has, and no list holds records.
 */
export function withRequiredKeys(fields: readonly Field[]): readonly Field[] {
  return [...fields.map((field) => ({ ...field, kind: withKeys(field.kind) })), KEY]
}

const KEY: Field = { name: 'key', kind: { kind: 'boolean' }, isOptional: false, isNamed: false }

function withKeys(kind: Kind): Kind {
  if ('fields' in kind) return { ...kind, fields: withRequiredKeys(kind.fields) }
  if (kind.kind === 'array' && kind.of.kind === 'record') {
    return { ...kind, of: { kind: 'object', fields: [KEY] } }
  }
  return 'of' in kind ? { ...kind, of: withKeys(kind.of) } : kind
}

/** Values of a kind, some near its bounds, and a few of another kind. Strings consist of the characters of `unit`. */
export function valuesOf(kind: Kind, unit: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.string({ unit, maxLength: 5 }),
    fc.constantFrom(...ODD),
    fc.integer({ min: -5, max: 25 }),
    fc.boolean(),
  )
  return fc.oneof(
    { weight: 25, arbitrary: withinOf(kind, 0, unit) },
    { weight: 2, arbitrary: withinOf(kind, 1, unit) },
    { weight: 1, arbitrary: odd },
  )
}

/** Values of a kind whose bounds are wider by `over`. */
function withinOf(kind: Kind, over: number, unit: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const bounds = 'min' in kind ? [kind.min - over, kind.max + over] : []
  const [min = 0, max = 0] = bounds
  const length = { minLength: Math.max(0, min), maxLength: max }
  switch (kind.kind) {
    case 'string':
      return fc.string({ unit, ...length })
    case 'enum':
      return fc.constantFrom(...kind.values)
    case 'int':
      return fc.integer({ min, max })
    case 'number':
      return fc.double({ min: kind.above - over, noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'word-or-int':
      return fc.oneof(fc.constant(kind.word), fc.integer())
    case 'int-or-words':
      return fc.oneof(
        fc.integer(),
        fc.array(fc.constant(kind.word), { maxLength: kind.max + over }),
      )
    case 'array':
      return fc.array(valuesOf(kind.of, unit), length)
    case 'record':
      return fc.dictionary(fc.constantFrom('a', ...IN_RECORDS), valuesOf(kind.of, unit), {
        maxKeys: 3,
      })
    case 'object':
      return objectsOf(kind.fields, unit)
    case 'word-or-object':
      return fc.oneof(fc.constant(kind.word), objectsOf(kind.fields, unit))
    case 'nullable':
      return fc.oneof(fc.constant(null), withinOf(kind.of, over, unit))
    case 'file':
      return FILES
  }
}

/** Files, some with the media type of another field. */
const FILES = fc
  .tuple(fc.nat(), fc.constantFrom('image/png', 'application/json', 'text/plain'))
  .map(([name, type]) => new File(['{}'], `${name}`, { type }))

/** Objects with these keys, and with values near their bounds. Any key may be absent. */
export function objectsOf(
  fields: readonly Field[],
  unit: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> {
  const model = fields.map(({ name, kind, isOptional }) => {
    const value = valuesOf(kind, unit)
    const absent = { weight: isOptional ? 10 : 1, arbitrary: fc.constant(undefined) }
    return [name, fc.oneof({ weight: 40, arbitrary: value }, absent)] as const
  })
  return fc.record(Object.fromEntries(model))
}

/** Strings that a lax parser converts to a number, a boolean or null. */
const ODD = [
  '',
  'TRUE',
  'null',
  '01',
  '+1',
  '1.',
  '.5',
  '0x1',
  '1e2',
  '1_0',
  '-0',
  'Infinity',
  '1n',
]
