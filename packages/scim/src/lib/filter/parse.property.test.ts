import { isFailure, unwrap } from '@plumbline/result'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { character } from '../../../test/characters.ts'
import type { AttributePath } from '../path/attribute-path.ts'
import { parsePath } from '../path/parse-path.ts'
import { stringifyPath } from '../path/stringify-path.ts'
import { OPERATORS_OF_TYPE } from './operators.cases.ts'
import { parseFilter, parsePatchPath } from './parse.ts'
import { stringifyFilter, stringifyPatchPath } from './stringify.ts'
import type { Expression, Logical } from './tree.ts'

const name = fc.stringMatching(/^[a-zA-Z$][a-zA-Z0-9$_-]{0,8}$/)
const schema = fc.stringMatching(/^urn:[a-z0-9:.]{1,20}$/)
const path: fc.Arbitrary<AttributePath> = fc.record({
  schema: fc.option(schema),
  attribute: name,
  subAttribute: fc.option(name),
})
const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: character }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
)
const operator = fc.constantFrom(...OPERATORS_OF_TYPE.string)

/** Trees in the form that the parser returns: n-ary and flat, without nested value paths. */
function expressions(within: boolean, depth: number): fc.Arbitrary<Expression> {
  const leaves: fc.Arbitrary<Expression>[] = [
    fc.record({
      type: fc.constant('compare'),
      path,
      operator,
      // A negative zero is written as 0.
      value: value.map((one) => (Object.is(one, -0) ? 0 : one)),
    }),
    fc.record({ type: fc.constant('present'), path }),
  ]
  if (depth === 0) return fc.oneof(...leaves)
  const inner = expressions(within, depth - 1)
  const logical = fc
    .record({
      type: fc.constant('logical' as const),
      operator: fc.constantFrom('and', 'or'),
      operands: fc.array(inner, { minLength: 2, maxLength: 4 }),
    })
    .map(flatten)
  const not = fc.record({ type: fc.constant('not' as const), operand: inner })
  const valuePath = fc.record({
    type: fc.constant('valuePath' as const),
    path: path.map((one) => ({ ...one, subAttribute: null })),
    filter: expressions(true, depth - 1),
  })
  return fc.oneof(...leaves, logical, not, ...(within ? [] : [valuePath]))
}

function flatten(node: Logical): Logical {
  const operands = node.operands.flatMap((operand) =>
    operand.type === 'logical' && operand.operator === node.operator ? operand.operands : [operand],
  )
  return { ...node, operands }
}

it('a written filter parses to the same tree', () => {
  fc.assert(
    fc.property(expressions(false, 3), (tree) => {
      expect(unwrap(parseFilter(stringifyFilter(tree)))).toEqual(tree)
    }),
    { numRuns: 300 },
  )
})

it('a written path parses to the same path', () => {
  fc.assert(
    fc.property(path, (one) => {
      expect(unwrap(parsePath(stringifyPath(one)))).toEqual(one)
    }),
  )
})

it('a written PATCH path parses to the same path', () => {
  const filter = fc.option(expressions(true, 2))
  fc.assert(
    fc.property(path, filter, (attribute, one) => {
      const target = { attribute, filter: one }
      expect(unwrap(parsePatchPath(stringifyPatchPath(target)))).toEqual(target)
    }),
    { numRuns: 300 },
  )
})

const hostile = fc.oneof(
  fc.string({ unit: character, maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        '.',
        ':',
        '[',
        ']',
        '(',
        ')',
        ' ',
        '"',
        '\\',
        ' eq ',
        ' and ',
        'not',
        '1',
        'pr',
        '\n',
        '\ud800',
        '__proto__',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
)

it("parsing a filter never throws, and an error's position is inside the string", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      for (const parse of [parseFilter, parsePath, parsePatchPath]) {
        const result = parse(text)
        if (!isFailure(result)) continue
        expect(result.error.status).toBe(400)
        const position = Number(/at position (\d+)/.exec(result.error.message)?.[1])
        expect(position).toBeLessThanOrEqual(text.length)
      }
    }),
    { numRuns: 1000 },
  )
})
