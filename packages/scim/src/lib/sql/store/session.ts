import type { WireResource } from '../../endpoint/options/store.ts'
import type { Expression } from '../../filter/tree.ts'
import type { IndexedColumnMap } from '../../predicate/columns.ts'
import { render, rulesOf } from '../dialect.ts'
import { type Fragment, joinFragments, type SqlValue, sql } from '../fragment.ts'
import { writeColumn, writeName } from '../names.ts'
import { narrowFilter } from '../narrow-filter.ts'
import type { DialectRules } from '../rules.ts'
import { writePredicate } from '../write-predicate.ts'
import type { StoreMap } from './fields.ts'
import { prepareMap } from './map.ts'
import { checkOptions } from './options.ts'
import { createProbe, type Probed } from './probe.ts'
import { requireRows } from './results.ts'
import type { SqlRow, SqlStoreHooks, SqlStoreOptions, TenantColumn } from './types.ts'
import { violationOf } from './violations.ts'

/** A prepared store, without a request's context. */
interface PreparedStore<Context> {
  readonly options: SqlStoreOptions<Context>
  readonly map: StoreMap
  readonly rules: DialectRules
  readonly probe: (probed: Probed, column: string) => Promise<void>
}

/** A store for one request: its statements and hooks get the request's context. */
export interface Session {
  readonly options: Omit<SqlStoreOptions<never>, 'execute' | 'tenant' | 'hooks'> & {
    readonly tenant?: Pick<TenantColumn<never>, 'column'> | undefined
  }
  readonly map: StoreMap
  readonly rules: DialectRules
  readonly hooks: SessionHooks
  /** Runs a statement and returns the result of `execute`. */
  execute(statement: Fragment): Promise<unknown>
  /**
   * Before the first insert of a store, throws a TypeError if `execute` renames columns, or does not return what a write
   * needs. A row must not be inserted if it cannot be read. `column` is one that the insert sets.
   */
  probe(column: string): Promise<void>
  /** Runs a statement and returns its rows. */
  run(statement: Fragment): Promise<readonly SqlRow[]>
  /** Runs statements one after another. */
  runAll(statements: readonly Fragment[]): Promise<void>
  /** Quotes a name. */
  name(name: string): Fragment
  /** Qualifies a column in the resource table. */
  column(name: string): Fragment
  /** Returns the client's tenant; null without a tenant column. */
  tenant(): string | number | bigint | null
  /** The condition in every statement: the tenant, and the columns with a fixed value. */
  scope(): Fragment
  /**
   * Translates a filter, and looks up values in other tables. Each selection from another table binds the tenant as a
   * separate parameter.
   */
  filter(
    expression: Expression,
    columns: IndexedColumnMap,
  ): Promise<{ readonly where: Fragment | null; readonly residual: Expression | null }>
}

/** The hooks of a store, which get the request's context. */
interface SessionHooks {
  readonly read?: ((row: SqlRow) => WireResource) | undefined
  readonly write?: ((resource: WireResource) => Readonly<Record<string, SqlValue>>) | undefined
  readonly created?: ((resource: WireResource, id: string) => unknown) | undefined
  readonly delete?: ((id: string) => unknown) | undefined
}

/** Returns the statements for a resource, whose id may be known only after the row is inserted. */
export type StatementsFor = (id: string) => readonly Fragment[]

/** Checks and prepares a store's options, once for all requests. */
export function prepareStore<Context>(given: SqlStoreOptions<Context>): PreparedStore<Context> {
  const options = checkOptions(given)
  const { tenant, dialect, isBinary } = options
  const rules = rulesOf(dialect, isBinary)
  return { options, map: prepareMap(options, tenant?.column ?? null), rules, probe: createProbe() }
}

/**
 * Creates the session of a request.
 *
 * @param signal aborted when a write is over. A later statement is rejected: the transaction has ended, and its
 * connection may already serve another one.
 */
export function createSession<Context>(
  { options, map, rules, probe }: PreparedStore<Context>,
  context: Context,
  signal?: AbortSignal,
): Session {
  const { table, tenant, where = {}, dialect, isBinary, hooks } = options
  const column = (name: string): Fragment => writeColumn(name, table, rules)
  const session: Session = {
    options,
    map,
    rules,
    hooks: hooks === undefined ? {} : bindHooks(hooks, context),
    execute: async (statement) => {
      signal?.throwIfAborted()
      const { sql: text, parameters } = render(statement, rules)
      try {
        return await options.execute(text, parameters, context)
      } catch (error) {
        throw violationOf(error, { map, options }, statement) ?? error
      }
    },
    probe: (column) => probe(session, column),
    run: async (statement) => requireRows(await session.execute(statement), statement, dialect),
    runAll: async (statements) => {
      for (const statement of statements) await session.run(statement)
    },
    name: (name) => writeName(name, rules),
    column,
    tenant: () => tenant?.value(context) ?? null,
    filter: async (expression, columns) => {
      const known = tenant && { [tenant.column]: tenant.value(context) }
      const { where, residual } = await narrowFilter(expression, columns, {
        run: session.run,
        dialect,
        isBinary,
        known,
        id: map.id.name,
        index: map.index ?? undefined,
      })
      return { where: where && writePredicate(where, { rules, table, known }), residual }
    },
    scope: () => {
      const fixed = Object.entries(where).map(([name, value]) =>
        value === null ? sql`${column(name)} is null` : sql`${column(name)} = ${value}`,
      )
      const own = tenant && sql`${column(tenant.column)} = ${tenant.value(context)}`
      const conditions = own === undefined ? fixed : [own, ...fixed]
      return conditions.length === 0 ? sql`1 = 1` : joinFragments(conditions, ' and ')
    },
  }
  return session
}

function bindHooks<Context>(hooks: SqlStoreHooks<Context>, context: Context): SessionHooks {
  const { read, write, created, delete: remove } = hooks
  return {
    read: read && ((row) => read.call(hooks, row, context)),
    write: write && ((resource) => write.call(hooks, resource, context)),
    created: created && ((resource, id) => created.call(hooks, resource, { id, context })),
    delete: remove && ((id) => remove.call(hooks, { id, context })),
  }
}
