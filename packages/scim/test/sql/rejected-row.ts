import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { type Answered, createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { expect } from 'vitest'
import { type Received, sender } from '../endpoint/serve.ts'
import type { Openable } from './openers.ts'
import type { Execute } from './tables.ts'

const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }

export type Options = Partial<SqlStoreOptions<unknown>>

export interface Outcome extends Received {
  /** The messages of the errors that `onError` received. */
  readonly errors: readonly string[]
  /** The answered error's cause, for the log. */
  readonly cause: string | undefined
}

/** Sends a request about users in the table `users`; by default, one that creates a user. */
export async function createIn(
  execute: Execute,
  { dialect, options }: { readonly dialect: Openable['dialect']; readonly options: Options },
  user: object,
  method = 'POST',
  path = '/Users',
): Promise<Outcome> {
  const errors: string[] = []
  let answered: Answered<object> | undefined
  const store = sqlStore<unknown>({
    execute,
    dialect,
    definitions,
    table: 'users',
    id: 'id',
    attributes: { userName: 'login', ...options.attributes },
    ...Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'attributes')),
  })
  const { fetch } = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [defineResourceType({ name: 'User', endpoint: '/Users', store })],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    onError: (error) => errors.push(String(error)),
    onAnswer: (one) => {
      answered = one
    },
  })
  const received = await sender(fetch)(method, path, method === 'GET' ? undefined : user)
  const cause = answered?.error?.cause
  return { ...received, errors, cause: cause === undefined ? undefined : String(cause) }
}

/** A mistake of the program is never the client's: a 500, and one line in `onError`. */
export function expectMistake({ status, body, errors }: Outcome, message: string | RegExp): void {
  expect(errors).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)])
  expect({ status, detail: body.detail }).toEqual({ status: 500, detail: 'internal server error' })
}

/** A fault of the client names the attribute, and its cause the column. */
export function expectFault(outcome: Outcome, detail: string, cause: string | RegExp): void {
  const { status, body, errors } = outcome
  expect({ status, errors, detail: body.detail }).toEqual({ status: 400, errors: [], detail })
  expect(outcome.cause).toMatch(cause)
}
