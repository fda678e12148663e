import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { scope, type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import type { Schema } from '../../schema/standard-schema.ts'

/** The same schemas in each library. */
export interface Library {
  readonly name: string
  /** A named object with `title`. */
  readonly book: Schema
  /** An object with the book as `one`, a list of books as `list`, and a book or null as `maybe`. */
  readonly shelf: Schema
  /** A nameless object whose `kids` are a list of such objects, and an object that contains one as `tree`. */
  readonly tree: Schema
  readonly wood: Schema
  /** The same schemas with the name Tree. */
  readonly namedTree: Schema
  readonly namedWood: Schema
  /** A nameless cat with an optional `owner`, and the owner, who has `cats`. */
  readonly cat: Schema
  readonly person: Schema
  /** The same schemas with the names Cat and Person. */
  readonly namedCat: Schema
  readonly namedPerson: Schema
  /** An object called Home that contains a cat, and an object that contains a person and a Home. */
  readonly home: Schema
  readonly street: Schema
}

declare global {
  // The values that ArkType's `configure` accepts in addition to its own keys.
  interface ArkEnv {
    meta(): { readonly id?: string }
  }
}

function ofZod(): Library {
  const book = z.object({ title: z.string() }).meta({ id: 'Book' })
  const tree = z.object({
    get kids(): z.ZodArray {
      return z.array(tree)
    },
  })
  const namedTree: z.ZodType = z
    .object({
      get kids() {
        return z.array(namedTree)
      },
    })
    .meta({ id: 'Tree' })
  const cat: z.ZodType = z.object({
    get owner() {
      return person.optional()
    },
  })
  const person = z.object({ cats: z.array(cat) })
  const namedCat: z.ZodType = z
    .object({
      get owner() {
        return namedPerson.optional()
      },
    })
    .meta({ id: 'Cat' })
  const namedPerson = z.object({ cats: z.array(namedCat) }).meta({ id: 'Person' })
  const home = z.object({ cat }).meta({ id: 'Home' })
  return {
    name: 'zod',
    book,
    shelf: z.object({ one: book, list: z.array(book), maybe: book.nullable() }),
    tree,
    wood: z.object({ tree }),
    namedTree,
    namedWood: z.object({ tree: namedTree }),
    cat,
    person,
    namedCat,
    namedPerson,
    home,
    street: z.object({ person, home }),
  }
}

function ofArkType(): Library {
  const book = type({ title: 'string' }).configure({ id: 'Book' })
  const { tree, cat, person } = type.module({
    tree: { kids: 'tree[]' },
    cat: { 'owner?': 'person' },
    person: { cats: 'cat[]' },
  })
  const namedTree = tree.configure({ id: 'Tree' })
  const pets = scope({
    cat: [{ 'owner?': 'person' }, '@', { id: 'Cat' }],
    person: [{ cats: 'cat[]' }, '@', { id: 'Person' }],
  }).export()
  const home = type({ cat }).configure({ id: 'Home' })
  return {
    name: 'ArkType',
    book,
    shelf: type({ one: book, list: book.array(), maybe: book.or('null') }),
    tree,
    wood: type({ tree }),
    namedTree,
    namedWood: type({ tree: namedTree }),
    cat,
    person,
    namedCat: pets.cat,
    namedPerson: pets.person,
    home,
    street: type({ person, home }),
  }
}

function ofValibot(): Library {
  const book = v.pipe(v.object({ title: v.string() }), v.metadata({ id: 'Book' }))
  const tree: v.GenericSchema = v.object({ kids: v.array(v.lazy(() => tree)) })
  const namedTree: v.GenericSchema = v.pipe(
    v.object({ kids: v.array(v.lazy(() => namedTree)) }),
    v.metadata({ id: 'Tree' }),
  )
  const cat: v.GenericSchema = v.object({ owner: v.optional(v.lazy(() => person)) })
  const person = v.object({ cats: v.array(v.lazy(() => cat)) })
  const namedCat: v.GenericSchema = v.pipe(
    v.object({ owner: v.optional(v.lazy(() => namedPerson)) }),
    v.metadata({ id: 'Cat' }),
  )
  const namedPerson = v.pipe(
    v.object({ cats: v.array(v.lazy(() => namedCat)) }),
    v.metadata({ id: 'Person' }),
  )
  const home = v.pipe(v.object({ cat }), v.metadata({ id: 'Home' }))
  return {
    name: 'Valibot',
    book: toStandardJsonSchema(book),
    shelf: toStandardJsonSchema(
      v.object({ one: book, list: v.array(book), maybe: v.nullable(book) }),
    ),
    tree: toStandardJsonSchema(tree),
    wood: toStandardJsonSchema(v.object({ tree })),
    namedTree: toStandardJsonSchema(namedTree),
    namedWood: toStandardJsonSchema(v.object({ tree: namedTree })),
    cat: toStandardJsonSchema(cat),
    person: toStandardJsonSchema(person),
    namedCat: toStandardJsonSchema(namedCat),
    namedPerson: toStandardJsonSchema(namedPerson),
    home: toStandardJsonSchema(home),
    street: toStandardJsonSchema(v.object({ person, home })),
  }
}

/** The schemas of the three libraries. */
export const libraries: readonly Library[] = [ofZod(), ofArkType(), ofValibot()]
