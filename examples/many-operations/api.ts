/** The API: the document with the handlers of each topic. */
import { implement } from '@plumbline/openapi/server'
import { createAuthorHandlers } from './authors/handlers.ts'
import { createBookHandlers } from './books/handlers.ts'
import { library } from './document.ts'
import type { Store } from './store.ts'

export function createApi(store: Store) {
  return implement(library, {
    handlers: { ...createBookHandlers(store), ...createAuthorHandlers(store) },
  })
}
