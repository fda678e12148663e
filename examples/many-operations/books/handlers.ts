import type { z } from 'zod'
import type { HandlersFor } from '../document.ts'
import type { Store } from '../store.ts'
import type { Book, bookOperations } from './operations.ts'

/** The handlers of books, on a store that the application passes. */
export function createBookHandlers({ books, authors }: Store): HandlersFor<typeof bookOperations> {
  const save = (id: string, given: Omit<z.infer<typeof Book>, 'id'>) => {
    const book = { ...given, id }
    books.set(id, book)
    return book
  }
  return {
    listBooks: ({ query: { limit, offset }, reply }) =>
      reply(200, [...books.values()].slice(offset, offset + limit)),
    addBook: ({ body, reply, problems }) =>
      authors.has(body.authorId)
        ? reply(201, save(crypto.randomUUID(), body))
        : problems.unknownAuthor(),
    readBook: ({ params, reply, problems }) => {
      const book = books.get(params.id)
      return book ? reply(200, book) : problems.notFound()
    },
    replaceBook: ({ params, body, reply, problems }) => {
      if (!books.has(params.id)) return problems.notFound()
      return authors.has(body.authorId)
        ? reply(200, save(params.id, body))
        : problems.unknownAuthor()
    },
    deleteBook: ({ params, reply, problems }) =>
      books.delete(params.id) ? reply(204) : problems.notFound(),
  }
}
