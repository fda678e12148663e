import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { scope, type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'

// Every constraint of a JSON value that the three schema libraries can express, in a few schemas of each.

/** A named schema that contains itself. */
export interface Category {
  readonly name: string
  readonly parent: Category | null
}
export const Category: z.ZodType<Category> = z
  .object({
    name: z.string(),
    get parent() {
      return Category.nullable()
    },
  })
  .meta({ id: 'Category', description: 'A shelf, or a part of one' })

/** A nameless schema that contains itself. */
interface Chapter {
  readonly title: string
  readonly sections: readonly Chapter[]
}
const Chapter: z.ZodType<Chapter> = z.object({
  title: z.string(),
  get sections() {
    return z.array(Chapter)
  },
})

const Print = z.object({ kind: z.literal('print'), pages: z.int().min(1) }).meta({ id: 'Print' })
const Sound = z
  .object({ kind: z.literal('sound'), minutes: z.number().positive() })
  .meta({ id: 'Sound' })

export const Book = z
  .object({
    id: z.uuid(),
    isbn: z.string().regex(/^\d{13}$/),
    title: z
      .string()
      .min(1)
      .max(200)
      .meta({ examples: ['The Tale of Genji'] }),
    subtitle: z.string().nullable(),
    language: z.enum(['ja', 'en']).default('en'),
    edition: z.discriminatedUnion('kind', [Print, Sound]),
    size: z.tuple([z.number(), z.number()]).optional(),
    stock: z.record(z.string(), z.int()),
    category: Category,
    chapters: z.array(Chapter),
    publishedAt: z.iso.datetime(),
    onSale: z.iso.date().meta({ deprecated: true }),
    price: z.union([z.number(), z.string()]),
    addedAt: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
    anything: z.unknown(),
  })
  .meta({ id: 'Book' })

export const NewBook = Book.omit({ id: true, addedAt: true }).meta({ id: 'NewBook' })

/** A schema whose name stays inside it, used in two places. */
const named = { id: 'Person', description: 'The author' }
const Person = type({ name: 'string >= 1', 'born?': 'string.date.iso' }).configure(named)
export const Author = type({
  person: Person,
  'editor?': Person,
  works: 'string[]',
  status: "'alive' | 'dead'",
  'rank?': 'number.integer > 0',
  'alias?': 'string | null',
})

/** A schema that contains itself through another schema. */
const publishing = scope({
  publisher: { name: 'string', imprints: 'imprint[]' },
  imprint: { name: 'string', 'owner?': 'publisher' },
}).export()
export const Publisher = publishing.publisher

interface Shelf {
  readonly label: string
  readonly inside?: readonly Shelf[] | undefined
}
const shelf: v.GenericSchema<Shelf> = v.object({
  label: v.pipe(v.string(), v.minLength(1)),
  inside: v.optional(v.array(v.lazy(() => shelf))),
})
export const ShelfSchema = toStandardJsonSchema(shelf)

const reader = v.pipe(
  v.object({
    email: v.pipe(v.string(), v.email()),
    since: v.pipe(v.string(), v.isoDate()),
    level: v.picklist(['guest', 'member']),
    fines: v.nullable(v.number()),
    contact: v.variant('by', [
      v.object({ by: v.literal('mail'), address: v.string() }),
      v.object({ by: v.literal('phone'), number: v.string() }),
    ]),
  }),
  v.metadata({ id: 'Reader' }),
)
export const Reader = toStandardJsonSchema(reader)
export const Readers = toStandardJsonSchema(v.array(reader))
