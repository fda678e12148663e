import { createDocument, defineOperation } from '@plumbline/openapi'
import { isFailure } from '@plumbline/result'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Schema } from '../src/lib/schema/standard-schema.ts'

/** One step of a program that makes schemas: an operator, with numbers that choose its operands. */
interface Step {
  readonly operator: keyof typeof OPERATORS
  readonly first: number
  readonly second: number
}

/** Returns an earlier or, if it is used lazily, a later schema of the program. */
type Choose = (at: number) => z.ZodType

const names = ['Book', 'Author', 'Shelf', 'Page'] as const

const OPERATORS = {
  string: (_, one) => z.string().min(one.first % 3),
  integer: (_, one) => z.int().min(one.first % 3),
  date: () => z.iso.date(),
  choice: () => z.enum(['new', 'used']),
  literal: (_, one) => z.literal(names[one.first % 4] ?? 'Book'),
  anything: () => z.unknown(),
  object: (choose, { first, second }) =>
    z.object({ a: choose(first), b: choose(second).optional() }),
  strict: (choose, { first }) => z.strictObject({ c: choose(first) }),
  loose: (choose, { first }) => z.looseObject({ d: choose(first) }),
  list: (choose, { first }) => z.array(choose(first)),
  tuple: (choose, { first, second }) => z.tuple([choose(first)], choose(second)),
  record: (choose, { first }) => z.record(z.string(), choose(first)),
  records: (choose, { first }) => z.record(z.enum(['x', 'y']), choose(first)),
  union: (choose, { first, second }) => z.union([choose(first), choose(second)]),
  both: (choose, { first, second }) =>
    z.intersection(z.object({ e: choose(first) }), z.object({ f: choose(second) })),
  tagged: (choose, { first, second }) =>
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('one'), value: choose(first) }),
      z.object({ kind: z.literal('two'), value: choose(second) }).meta({ id: 'Two' }),
    ]),
  optional: (choose, { first }) => choose(first).optional(),
  nullable: (choose, { first }) => choose(first).nullable(),
  readonly: (choose, { first }) => choose(first).readonly(),
  caught: (choose, { first }) => choose(first).catch(null),
  defaulted: (choose, { first }) => z.union([choose(first), z.null()]).default(null),
  described: (choose, { first }) => choose(first).describe('Described'),
  titled: (choose, { first }) => choose(first).meta({ title: 'Titled', examples: [1] }),
  refined: (choose, { first }) => choose(first).refine(() => true),
  transformed: (choose, { first }) => choose(first).transform(String),
  piped: (choose, { first }) => z.preprocess((value) => value, choose(first)),
  file: () => z.file(),
  // A schema that contains a later one, or itself, may be recursive.
  tree: (choose, { first, second }) =>
    z.object({
      get g() {
        return z.array(choose(first + 1_000))
      },
      h: choose(second),
    }),
  lazy: (choose, { first }) => z.array(z.lazy(() => choose(first + 1_000))),
  named: (choose, { first, second }, at) => choose(first).meta({ id: `${names[second % 4]}${at}` }),
  // Two schemas with one name, equal or not.
  twice: (choose, { first, second }) => choose(first).meta({ id: names[second % 2] ?? 'Book' }),
  numbered: (choose, { first }) => choose(first).meta({ id: '__schema1' }),
  misnamed: (choose, { first }) => choose(first).meta({ id: 'not a name' }),
  reserved: (choose, { first }) => choose(first).meta({ id: 'Problem', $id: 'other' }),
  instant: () => z.date(),
  flags: () => z.string().regex(/^a/i),
  brackets: () => z.string().regex(/\]/),
} satisfies Record<string, (choose: Choose, step: Step, at: number) => z.ZodType>

/** Operators whose documents have faults, or that are chosen rarely. */
const RARE: readonly string[] = [
  'twice',
  'numbered',
  'misnamed',
  'reserved',
  'instant',
  'flags',
  'brackets',
  'file',
  'lazy',
]
const operators = Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]

const steps = fc.array(
  fc.record({
    operator: fc.oneof(
      { weight: 60, arbitrary: fc.constantFrom(...operators.filter((one) => !RARE.includes(one))) },
      { weight: 10, arbitrary: fc.constantFrom('named' as const, 'tree' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...operators.filter((one) => RARE.includes(one))) },
    ),
    first: fc.nat(30),
    second: fc.nat(30),
  }),
  { minLength: 1, maxLength: 20 },
)

function run(program: readonly Step[]): readonly z.ZodType[] {
  const made: z.ZodType[] = [z.boolean()]
  const choose: Choose = (at) => {
    const later = at >= 1_000
    return made[(later ? at - 1_000 : at) % made.length] ?? z.never()
  }
  for (const [at, step] of program.entries()) {
    made.push(OPERATORS[step.operator](choose, step, at))
  }
  return made
}

const QUERY = z.object({ page: z.int().optional() }).meta({ id: 'Query' })

/** A document with each schema as a body, as a part of a form and as a response. */
function build(schemas: readonly Schema[], objects: readonly Schema[]) {
  const operations = schemas.map((schema, at) =>
    defineOperation(
      `operation${at}`,
      { method: 'POST', pattern: `/${at}` },
      {
        summary: 'One',
        query: QUERY,
        body: { 'application/json': schema, 'multipart/form-data': objects[at] ?? z.object({}) },
        responses: {
          200: { description: 'Done', body: schemas[schemas.length - 1 - at] ?? schema },
        },
      },
    ),
  )
  const builder = createDocument({ info: { title: 'Books', version: '1' } }).add(...operations)
  return [builder.build(), builder.build()].map((built) =>
    isFailure(built)
      ? built.error.errors.map(({ cause: _, ...fault }) => fault)
      : JSON.stringify(built.data),
  )
}

/** The same schema for a library that does not know that it is a zod schema. */
function disguise(schema: Schema): Schema {
  return { '~standard': schema['~standard'] }
}

describe('converting all zod schemas in a document in one call', () => {
  it('a cycle through a named copy of one of its schemas is left out', () => {
    const page: z.ZodType = z.array(z.lazy(() => shelf))
    const book = page.meta({ id: 'Book' })
    const shelf: z.ZodType = book.meta({ id: 'Shelf' })
    const schemas = [shelf, page, book, z.string()]
    const objects = schemas.map((schema) => z.object({ schema }))
    const [separate] = build(schemas.map(disguise), objects.map(disguise))
    expect(build(schemas, objects)).toStrictEqual([separate, separate])
  })

  it('the document or faults equal those from converting one by one', () => {
    let succeeded = 0
    fc.assert(
      fc.property(steps, (program) => {
        const schemas = run(program)
        const objects = schemas.map((schema) => z.object({ schema }))
        const [together, again] = build(schemas, objects)
        const [separate] = build(schemas.map(disguise), objects.map(disguise))
        expect(together).toStrictEqual(separate)
        expect(again).toStrictEqual(separate)
        if (typeof separate === 'string') succeeded += 1
      }),
      { numRuns: 200 },
    )
    expect(succeeded).toBeGreaterThan(100)
  })
})
