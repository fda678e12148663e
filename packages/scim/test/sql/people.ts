import { DatabaseSync } from 'node:sqlite'
import { USER_DEFINITION } from '@plumbline/scim/discovery'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute, type SqlStoreOptions, sqlStore } from '@plumbline/scim/sql'
import { type Send, sender } from '../endpoint/serve.ts'

export const definitions = { [USER_DEFINITION.id]: USER_DEFINITION }
export const userName = { userName: 'login' }

/** Serves users from the table `people`, which has the columns of a statement. */
export function serve(
  columns: string,
  options: Pick<SqlStoreOptions<unknown>, 'attributes'> & Partial<SqlStoreOptions<unknown>>,
): {
  readonly send: Send
  readonly database: DatabaseSync
  /** The statements that ran. */
  readonly statements: string[]
} {
  const statements: string[] = []
  const database = new DatabaseSync(':memory:')
  database.exec(`create table people (id text primary key, login text, ${columns})`)
  const execute: Execute<unknown> = (sql, values) => {
    statements.push(sql)
    return database.prepare(sql).all(...(values as never[]))
  }
  const common = { execute, dialect: 'sqlite', definitions, table: 'people', id: 'id' } as const
  const store = sqlStore<unknown>({ ...common, ...options })
  const { fetch } = createScimEndpoint<object>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType({
        name: 'User',
        endpoint: '/Users',
        definitions: store.definitions,
        store,
      }),
    ],
    authenticate: async () => ({}),
    transaction: (context, work) => work(context),
    onError: (error) => console.error(error),
  })
  return { send: sender(fetch), database, statements }
}
