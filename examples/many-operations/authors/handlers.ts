import type { HandlersFor } from '../document.ts'
import type { Store } from '../store.ts'
import type { authorOperations } from './operations.ts'

/** The handlers of authors. */
export function createAuthorHandlers({
  books,
  authors,
}: Store): HandlersFor<typeof authorOperations> {
  const save = (id: string, name: string) => {
    authors.set(id, { id, name })
    return { id, name }
  }
  return {
    listAuthors: ({ query: { limit, offset }, reply }) =>
      reply(200, [...authors.values()].slice(offset, offset + limit)),
    addAuthor: ({ body, reply }) => reply(201, save(crypto.randomUUID(), body.name)),
    readAuthor: ({ params, reply, problems }) => {
      const author = authors.get(params.id)
      return author ? reply(200, author) : problems.notFound()
    },
    renameAuthor: ({ params, body, reply, problems }) =>
      authors.has(params.id) ? reply(200, save(params.id, body.name)) : problems.notFound(),
    deleteAuthor: ({ params: { id }, reply, problems }) => {
      if ([...books.values()].some(({ authorId }) => authorId === id)) return problems.hasBooks()
      return authors.delete(id) ? reply(204) : problems.notFound()
    },
  }
}
