import type { z } from 'zod'
import type { Author } from './authors/operations.ts'
import type { Book } from './books/operations.ts'

/** The data that handlers share: here two maps, in an application a database. */
export interface Store {
  readonly books: Map<string, z.infer<typeof Book>>
  readonly authors: Map<string, z.infer<typeof Author>>
}
