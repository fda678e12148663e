import { type ProjectionOptions, projection } from '@plumbline/scim/access'
import { createScimEndpoint, defineResourceType } from '@plumbline/scim/endpoint'
import { type Execute as ExecuteOf, sqlStore } from '@plumbline/scim/sql'
import { retried, toScimError } from '../../../../examples/scim/retried-transactions.ts'
import { patchOf, type Send, sender } from '../endpoint/serve.ts'
import type { Openable, OpenablePool, OpenedPool } from '../sql/openers.ts'
import type { Execute } from '../sql/tables.ts'
import { type Client, groupOptions, tables, userOptions } from '../sql/teams.ts'

// An application with two customers, the organizations 1 and 2, on one endpoint. Each has a verified domain.

/** A client, and the connection of its transaction. */
export interface Connected extends Client {
  readonly run?: Execute
}

export type Options = ProjectionOptions<Connected, number, string>

const accountTables = (dialect: string, hasIndex: boolean): readonly string[] => {
  const text = dialect === 'mysql' ? 'varchar(190)' : 'text'
  const key = {
    sqlite: 'integer primary key autoincrement',
    postgres: 'serial primary key',
    mysql: 'int auto_increment primary key',
  }[dialect]
  return [
    `create table accounts (id ${key}, email ${text} not null, is_verified boolean not null)`,
    `create table domains (org_id integer not null, domain ${text} not null)`,
    `create table links (user_id ${text} not null, org_id integer not null, account_id integer not null,
      is_active boolean not null)`,
    `create table roles (user_id ${text} not null, role ${text} not null, group_id ${text} not null,
      request_id ${text} not null)`,
    'create table sessions (account_id integer not null)',
    "insert into domains values (1, 'a.example'), (2, 'b.example')",
    ...(hasIndex
      ? [
          'create unique index one_user on links (account_id)',
          `create unique index one_address on accounts (${dialect === 'mysql' ? 'email' : 'lower(email)'})`,
        ]
      : []),
  ]
}

/** The statements of the application. `?` is a parameter on every database. */
function statements(dialect: string, execute: Execute) {
  const isSqlite = dialect === 'sqlite'
  return (context: Connected | null, sql: string, ...values: readonly unknown[]) => {
    let at = 0
    const text = dialect === 'postgres' ? sql.replaceAll('?', () => `$${++at}`) : sql
    const bound = values.map((one) => (typeof one === 'boolean' && isSqlite ? Number(one) : one))
    return (context?.run ?? execute)(text, bound)
  }
}

export type Run = ReturnType<typeof statements>

/** The callbacks, as an application writes them. `lock` follows the statement that finds an account. */
function optionsOf(run: Run, lock: string): Options {
  const isOf = async (context: Connected, email: unknown) => {
    const [, domain = ''] = String(email).toLowerCase().split('@')
    const sql = 'select 1 from domains where org_id = ? and domain = ?'
    return (await run(context, sql, context.org, domain)).length === 1
  }
  return {
    link: {
      attribute: 'emails.value',
      find: async (email, context) => {
        const sql = `select id, is_verified from accounts where lower(email) = lower(?) ${lock}`
        const [account] = await run(context, sql, email)
        if (account === undefined) return null
        const links = 'select user_id from links where account_id = ?'
        const [link] = await run(context, links, account.id)
        return {
          account: Number(account.id),
          isVerified: account.is_verified === true || account.is_verified === 1,
          linkedTo: link === undefined ? null : String(link.user_id),
        }
      },
      mayManage: async (account, context) => {
        const [row] = await run(context, 'select email from accounts where id = ?', account)
        return await isOf(context, row?.email)
      },
      create: async ({ userName }, context) => {
        if (!(await isOf(context, userName))) return null
        const sql = 'insert into accounts (email, is_verified) values (?, true) returning id'
        const [row] = await run(context, sql, userName)
        return Number(row?.id)
      },
    },
    roles: ({ externalId, displayName }, { org }) => [
      ...(org === 1 && externalId === '00g1' ? ['admin'] : []),
      ...(displayName === 'Finance' ? [`billing of ${org}`] : []),
    ],
    read: async (users, context) => {
      const places = users.map(() => '?').join(', ')
      const of = `where user_id in (${places})`
      const links = await run(context, `select * from links ${of}`, ...users)
      const roles = await run(context, `select * from roles ${of}`, ...users)
      return new Map(
        links.map(({ user_id, account_id, is_active }) => [
          String(user_id),
          {
            account: Number(account_id),
            isActive: is_active === true || is_active === 1,
            grants: roles
              .filter((role) => role.user_id === user_id)
              .map(({ role, group_id, request_id }) => ({
                role: String(role),
                because: { group: String(group_id), requestId: String(request_id) },
              })),
          },
        ]),
      )
    },
    stored: async (after, context) => {
      const sql = `select user_id from links where org_id = ? and user_id > ? order by user_id limit 100`
      return (await run(context, sql, context.org, after ?? '')).map(({ user_id }) =>
        String(user_id),
      )
    },
    apply: async (changes, context) => {
      for (const { user, account, isActive, isDeleted, grants } of changes) {
        await run(context, 'delete from links where user_id = ?', user)
        await run(context, 'delete from roles where user_id = ?', user)
        if (!isActive) await run(context, 'delete from sessions where account_id = ?', account)
        if (isDeleted) continue
        const values = [user, context.org, account, isActive]
        await run(context, 'insert into links values (?, ?, ?, ?)', ...values)
        for (const { role, because } of grants) {
          const granted = [user, role, because.group, because.requestId]
          await run(context, 'insert into roles values (?, ?, ?, ?)', ...granted)
        }
      }
    },
  }
}

/** Opens the application. Its options may replace those of `projection`. */
export async function openApplication(
  database: Openable | OpenablePool,
  {
    connections = 8,
    hasIndex = true,
    lock = '',
    replaced = () => ({}),
  }: {
    readonly connections?: number
    readonly hasIndex?: boolean
    readonly lock?: string
    readonly replaced?: (options: Options, run: Run) => Partial<Options>
  } = {},
) {
  const { dialect } = database
  const { execute, transact, close } =
    'openPool' in database ? await database.openPool(connections) : await openAlone(database)
  for (const statement of tables(dialect)) await execute(statement, [])
  for (const statement of accountTables(dialect, hasIndex)) await execute(statement, [])
  const run = statements(dialect, execute)
  const options = optionsOf(run, lock)
  const access = projection({ ...options, ...replaced(options, run) })
  const onConnection: ExecuteOf<Connected> = (sql, values, context) =>
    (context.run ?? execute)(sql, values)
  const { attributes, ...mapped } = userOptions(onConnection, dialect)
  const errors: unknown[] = []
  const endpoint = createScimEndpoint<Connected>({
    basePath: '/scim/v2',
    resourceTypes: [
      defineResourceType<Connected>({
        name: 'User',
        endpoint: '/Users',
        store: sqlStore({ ...mapped, attributes: { ...attributes, 'emails[work].value': 'mail' } }),
      }),
      defineResourceType<Connected>({
        name: 'Group',
        endpoint: '/Groups',
        store: sqlStore(groupOptions(onConnection, dialect)),
      }),
    ],
    transaction: retried((context, work) => transact((run) => work({ ...context, run }))),
    toScimError,
    authenticate: async ({ headers }) => ({
      org: Number(headers.get('Authorization')?.slice('Bearer '.length)),
    }),
    onChange: access.onChange,
    onError: (error) => errors.push(error),
  })
  return { access, endpoint, run, errors, close, as: clientOf(sender(endpoint.fetch)) }
}

/** The requests of a customer's provider. */
function clientOf(send: Send) {
  return (org: 1 | 2) => {
    const request: Send = (method, path, body) =>
      send(method, path, body, { Authorization: `Bearer ${org}` })
    return {
      send: request,
      createUser: (userName: string, email = userName, rest: object = {}) => {
        const emails = [{ value: email, type: 'work' }]
        return request('POST', '/Users', { userName, emails, ...rest })
      },
      createGroup: (displayName: string, members: readonly string[], rest: object = {}) => {
        const values = members.map((value) => ({ value }))
        return request('POST', '/Groups', { displayName, members: values, ...rest })
      },
      patch: (path: string, ...operations: readonly object[]) =>
        request('PATCH', path, patchOf(...operations)),
    }
  }
}

/** One connection has one transaction at a time. */
async function openAlone({ open }: Openable): Promise<OpenedPool> {
  const { execute, close } = await open()
  let last: Promise<unknown> = Promise.resolve()
  return {
    execute,
    close,
    transact: (work) => {
      const result = last.then(async () => {
        await execute('begin', [])
        try {
          const value = await work(execute)
          await execute('commit', [])
          return value
        } catch (error) {
          await execute('rollback', [])
          throw error
        }
      })
      last = result.catch(() => undefined)
      return result
    },
  }
}
