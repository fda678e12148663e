/** The types of a client. `tsc` checks this file; it does not run. */
import type { Issue } from '@plumbline/problem'
import { expectTypeOf } from 'vitest'
import { createDocument } from '../document/build.ts'
import { operations, problems } from './books.cases.ts'
import { createClient } from './client.ts'
import { createManifest } from './manifest.ts'

const client = createClient(operations, { baseUrl: '/', problems })
const params = { bookId: 'b1' }
const headers = { 'X-Trace': 't' }
const book = { id: 'b1', title: 'Emma' }

// A part that may be empty may be left out, and so may an input without other parts.
client.listBooks()
client.listBooks({ query: { page: 1 } }, { signal: AbortSignal.timeout(1) })
// @ts-expect-error a required part
client.readBook({ params })
// @ts-expect-error a required input
client.readBook()
// @ts-expect-error an unknown parameter
client.listBooks({ query: { pages: 1 } })
// @ts-expect-error a parameter of another type
client.listBooks({ query: { page: '1' } })
// @ts-expect-error a path parameter of another type: `params` declares an integer
client.readCover({ params })
// @ts-expect-error the body is required
client.createBook({})
// The input of a schema: a member with a default is optional.
client.createBook({ body: book })
// @ts-expect-error a member is missing
client.createBook({ body: { id: 'b1' } })

// The media type decides the type of the body.
client.importBooks({ contentType: 'text/csv', body: 'a' })
client.importBooks({ contentType: 'image/png', body: new Blob() })
// @ts-expect-error the body of another media type
client.importBooks({ contentType: 'text/csv', body: { title: 'a', tag: [] } })
// @ts-expect-error one of several media types must be named
client.importBooks({ body: 'a' })
// @ts-expect-error an undeclared media type
client.importBooks({ contentType: 'audio/ogg', body: new Blob() })

// The status decides the type of an answer.
const read = await client.readBook({ params, headers })
expectTypeOf(read.status).toEqualTypeOf<200 | 404>()
expectTypeOf(read.problem).toEqualTypeOf<undefined | 'notFound' | 'gone'>()
if (read.status === 200) {
  expectTypeOf(read.body.title).toEqualTypeOf<string>()
  expectTypeOf(read.body.pages).toEqualTypeOf<number | undefined>()
  expectTypeOf(read.problem).toEqualTypeOf<undefined>()
} else {
  expectTypeOf(read.body.detail).toEqualTypeOf<string | undefined>()
}
// The name of a problem decides the type of the extension members.
if (read.problem === 'gone') expectTypeOf(read.body.since).toEqualTypeOf<string>()
// @ts-expect-error another problem does not have the member
if (read.problem === 'notFound') read.body.since
// So does its `type`, in the bodies of one status.
if (read.status === 404) {
  expectTypeOf(read.body.type).toEqualTypeOf<
    'https://example.com/problems/not-found' | 'https://example.com/problems/gone'
  >()
  expectTypeOf(read.body.status).toEqualTypeOf<404>()
  if (read.body.type === 'https://example.com/problems/gone') {
    expectTypeOf(read.body.since).toEqualTypeOf<string>()
  }
  // @ts-expect-error another problem does not have the member
  if (read.body.type === 'https://example.com/problems/not-found') read.body.since
  // @ts-expect-error the operation does not name a problem of this type
  if (read.body.type === 'https://example.com/problems/other') read.body.title
}

const listed = await client.listBooks()
if (listed.status === 200) expectTypeOf(listed.body[0]?.title).toEqualTypeOf<string | undefined>()
if (listed.status === 429) expectTypeOf(listed.body).toEqualTypeOf<string>()
// @ts-expect-error an undeclared status
if (listed.status === 500) listed.body

const created = await client.createBook({ body: book })
expectTypeOf(created.status).toEqualTypeOf<201 | 204>()
if (created.status === 204) expectTypeOf(created.body).toEqualTypeOf<undefined>()

const cover = await client.readCover({ params: { bookId: 1 } })
if (cover.contentType === 'application/json') expectTypeOf(cover.body.url).toEqualTypeOf<string>()
if (cover.contentType === 'text/event-stream') {
  expectTypeOf(cover.body).toEqualTypeOf<ReadableStream<Uint8Array<ArrayBuffer>>>()
}

// @ts-expect-error the operations name problems, so the catalog is required
createClient(operations, { baseUrl: '/' })

// A manifest and types make the same client.
const manifest = createManifest(operations, problems)
const other = createClient<typeof operations, typeof problems>(manifest, { baseUrl: '/' })
expectTypeOf(other).toEqualTypeOf(client)

// A document's client knows the problems the server answers by default.
const document = createDocument({
  info: { title: 'Books', version: '1' },
  problems,
  defaults: {},
}).add(operations.listBooks, operations.createBook)
const ofDocument = createClient(document, { baseUrl: '/' })
expectTypeOf(ofDocument).toEqualTypeOf(createClient<typeof document>(manifest, { baseUrl: '/' }))
const made = await ofDocument.createBook({ body: book })
if (made.status === 201) expectTypeOf(made.body.title).toEqualTypeOf<string>()
if (made.status === 500) expectTypeOf(made.problem).toEqualTypeOf<'internal'>()
if (made.status === 500) expectTypeOf(made.body.type).toEqualTypeOf<'about:blank'>()
if (made.status === 422) expectTypeOf(made.body.errors).toEqualTypeOf<readonly Issue[]>()
if (made.problem === 'gone') expectTypeOf(made.body.since).toEqualTypeOf<string>()
// @ts-expect-error the document does not have the operation
ofDocument.readBook
