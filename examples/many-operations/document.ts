/** The document: one line for each topic. */
import { createDocument } from '@plumbline/openapi'
import type { HandlersOf } from '@plumbline/openapi/server'
import { authorOperations } from './authors/operations.ts'
import { bookOperations } from './books/operations.ts'
import { problems } from './shared.ts'

export const library = createDocument({
  info: { title: 'Library', version: '1.0.0' },
  tags: [{ name: 'books' }, { name: 'authors' }],
  problems,
  defaults: {},
})
  .add(...bookOperations)
  .add(...authorOperations)

type All = HandlersOf<typeof library>

/** The handlers of a topic's operations. One that is missing, or that another topic has, does not compile. */
export type HandlersFor<Operations extends readonly { readonly operationId: keyof All }[]> = Pick<
  All,
  Operations[number]['operationId']
>
