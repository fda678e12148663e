import { kindOf, optionFault } from '@plumbline/base'
import {
  ANY,
  BOOLEAN,
  type Form,
  type Forms,
  FUNCTION,
  OBJECT,
  oneOf,
  required,
  requireMembers,
  requireOptions,
  STRING,
  STRINGS,
} from '../../endpoint/options/forms.ts'
import { requireLimit } from '../../endpoint/options/limits.ts'
import { isJsonObject, type JsonObject } from '../../json.ts'
import type { CursorOptions } from '../../list/cursor.ts'
import type { KeyColumn, KeyType } from '../../predicate/columns.ts'
import { requireDefinitions } from '../../schema/require-definitions.ts'
import { DIALECTS } from '../dialect.ts'
import type { ValueIndexOptions } from '../value-index/value-index.ts'
import type {
  SqlStoreHooks,
  SqlStoreOptions,
  TargetTable,
  TenantColumn,
  ValueTable,
} from './types.ts'

/**
 * Checks a store's options, and returns them with a tenant whose value is checked. Throws a TypeError naming the first
 * invalid option.
 */
export function checkOptions<Context>(options: SqlStoreOptions<Context>): SqlStoreOptions<Context> {
  requireOptions<SqlStoreOptions<never>>('sqlStore', options, FORMS)
  const { id, tenant, index, hooks, cursors, candidates } = options
  requireDefinitions('sqlStore: definitions', options.definitions)
  if (typeof id !== 'string') requireMembers('sqlStore: id', id, KEY)
  for (const [path, entry] of Object.entries<unknown>(options.attributes)) {
    requireEntry(`sqlStore: attributes[${JSON.stringify(path)}]`, entry)
  }
  if (index !== undefined) requireMembers('sqlStore: index', index, INDEX)
  if (hooks !== undefined) requireMembers('sqlStore: hooks', hooks, HOOKS)
  if (cursors !== undefined) requireMembers('sqlStore: cursors', cursors, CURSORS)
  const limits = { candidates, 'index.most': index?.most, 'cursors.timeout': cursors?.timeout }
  for (const [name, limit] of Object.entries(limits)) {
    if (limit !== undefined) requireLimit(`sqlStore: ${name}`, limit, 0)
  }
  if (tenant === undefined) return options
  requireMembers('sqlStore: tenant', tenant, TENANT)
  return { ...options, tenant: checkedTenant(tenant) }
}

/** A tenant of another type matches no row, or belongs to none: an undefined claim, or a promise. */
function checkedTenant<Context>(tenant: TenantColumn<Context>): TenantColumn<Context> {
  return {
    ...tenant,
    value: (context) => {
      const value = tenant.value(context)
      const isValid = typeof value === 'number' ? Number.isFinite(value) : TYPES.has(typeof value)
      if (isValid) return value
      const found = typeof value === 'number' ? 'NaN or Infinity' : kindOf(value)
      throw new TypeError(`tenant: value() returned ${found}, not a string or a number`)
    },
  }
}

const TYPES: ReadonlySet<string> = new Set(['string', 'bigint'])

function requireEntry(place: string, entry: unknown): void {
  if (STRING.isValid(entry)) return
  if (!isJsonObject(entry)) throw optionFault(place, 'a column', entry)
  if ('table' in entry) requireTable(place, entry)
  else requireMembers(place, entry, COLUMN)
}

function requireTable(place: string, entry: JsonObject): void {
  requireMembers<ValueTable>(place, entry, TABLE)
  for (const [name, column] of Object.entries(Object(entry.columns))) {
    requireEntry(`${place}.columns.${name}`, column)
  }
  if (entry.target !== undefined) requireMembers(`${place}.target`, entry.target, TARGET)
  if (isJsonObject(entry.order)) requireMembers(`${place}.order`, entry.order, KEY)
}

const KEYS: readonly KeyType[] = ['integer', 'uuid']

const COLUMN_OR_KEY: Form = {
  wanted: 'the name of a column, or { column, key }',
  isValid: (value) => STRING.isValid(value) || isJsonObject(value),
}

const FORMS: Forms<SqlStoreOptions<never>> = {
  execute: required(FUNCTION),
  dialect: required(oneOf(Object.keys(DIALECTS))),
  definitions: ANY,
  table: required(STRING),
  id: required(COLUMN_OR_KEY),
  attributes: required(OBJECT),
  document: STRING,
  index: OBJECT,
  tenant: OBJECT,
  isBinary: BOOLEAN,
  where: OBJECT,
  version: STRING,
  select: STRINGS,
  computed: STRINGS,
  candidates: ANY,
  cursors: OBJECT,
  hooks: OBJECT,
}

const TENANT: Forms<TenantColumn<never>> = { column: required(STRING), value: required(FUNCTION) }

const KEY: Forms<KeyColumn> = {
  column: required(STRING),
  key: required(oneOf(KEYS)),
}

const INDEX: Forms<ValueIndexOptions> = {
  table: required(STRING),
  on: required(OBJECT),
  hash: required(FUNCTION),
  hashName: FUNCTION,
  most: ANY,
}

const HOOKS: Forms<SqlStoreHooks<never>> = {
  read: FUNCTION,
  write: FUNCTION,
  created: FUNCTION,
  delete: FUNCTION,
}

const CURSORS: Forms<CursorOptions> = { sign: FUNCTION, timeout: ANY }

const TABLE: Forms<ValueTable> = {
  table: required(STRING),
  on: required(OBJECT),
  columns: required(OBJECT),
  indexed: STRINGS,
  target: OBJECT,
  order: COLUMN_OR_KEY,
}

const TARGET: Forms<TargetTable> = {
  table: required(STRING),
  id: required(STRING),
  tenant: STRING,
  display: STRING,
  type: STRING,
}

/** The members of every entry for one column. */
const COLUMN = {
  column: required(STRING),
  type: oneOf(['boolean', 'integer', 'decimal', 'dateTime', 'json']),
  format: oneOf(['milliseconds', 'seconds', 'text', 'timestamp']),
  caseExact: BOOLEAN,
  folded: BOOLEAN,
  key: oneOf(KEYS),
  encode: FUNCTION,
  decode: FUNCTION,
  default: ANY,
}
