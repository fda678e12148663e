import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { convert, convertSameSides } from './to-json-schema.ts'
import { createSideFinder } from './zod-sides.ts'

const Named = z.object({ name: z.string() }).meta({ id: 'Named', title: 'A name' })

const tree = z.object({
  get children() {
    return z.array(tree)
  },
})

const same: readonly z.ZodType[] = [
  z.object({ text: z.string().trim().min(1), day: z.iso.date(), one: z.int().multipleOf(2) }),
  z.object({
    maybe: z.string().optional(),
    none: z.boolean().nullable(),
    both: z.null().nullish(),
  }),
  z.object({
    list: z.array(Named).max(3),
    state: z.enum(['a', 'b']),
    literal: z.literal([1, 'x']),
  }),
  z.object({ any: z.any(), unknown: z.unknown(), never: z.never().optional() }),
  z.union([Named, z.strictObject({ a: z.string() }), z.looseObject({ b: z.coerce.number() })]),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a') }),
    z.object({ kind: z.literal('b') }),
  ]),
  z.object({ rest: z.string() }).catchall(z.object({ part: z.number() })),
  z.object({ again: Named.describe('next to the reference'), named: Named }),
  z.object({ partial: Named.partial(), extended: Named.extend({ more: z.string() }) }),
  Named,
  tree,
]

const different: readonly z.ZodType[] = [
  z.string().default('a'),
  z.string().prefault('a'),
  z.string().catch('a'),
  z.string().transform(Number),
  z.preprocess(String, z.string()),
  z.stringbool(),
  z.object({ list: z.array(z.object({ deep: z.string().default('a') })) }),
  z.object({ rest: z.string() }).catchall(z.string().transform(Number)),
  z.record(z.string(), z.string().default('a')),
  z.lazy(() => z.string().default('a')),
  Named.readonly(),
  Named.meta({ additionalProperties: false }),
]

const own = z.object({})
own._zod.toJSONSchema = () => ({ type: 'object', additionalProperties: false })

describe('zod schemas with the same input and output', () => {
  it('the schemas are converted in half the time to the same JSON Schema', () => {
    const hasSameSides = createSideFinder()
    for (const schema of same) {
      expect(hasSameSides(schema)).toBe(true)
      expect(convertSameSides(schema)).toStrictEqual(convert(schema))
    }
  })

  it('schemas are excluded if one part may differ', () => {
    for (const schema of [...different, own]) {
      const hasSameSides = createSideFinder()
      expect(hasSameSides(schema)).toBe(false)
      // The parts that were seen do not count as known.
      expect(hasSameSides(z.object({ schema }))).toBe(false)
    }
  })
})
