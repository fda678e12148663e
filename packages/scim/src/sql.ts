export type {
  ColumnEntry,
  ColumnMap,
  ElementTable,
  FoldedColumn,
  KeyColumn,
  KeyType,
  SqlColumnEntry,
  SqlColumnMap,
  TextColumn,
  TimestampColumn,
  TypedColumn,
} from './lib/predicate/columns.ts'
export type { Dialect } from './lib/sql/dialect.ts'
export type { FilterToSqlOptions, SqlFilter } from './lib/sql/filter-to-sql.ts'
export { filterToSql } from './lib/sql/filter-to-sql.ts'
export type { SqlValue } from './lib/sql/fragment.ts'
export { sqlStore } from './lib/sql/store/store.ts'
export type {
  AttributeEntry,
  CodedColumn,
  DefaultValue,
  Execute,
  Executed,
  HookRequest,
  InsertResult,
  JsonColumn,
  OneTableOptions,
  SqlRow,
  SqlStore,
  SqlStoreHooks,
  SqlStoreOptions,
  TargetTable,
  TenantColumn,
  ValueTable,
} from './lib/sql/store/types.ts'
export type { ValueIndexOptions } from './lib/sql/value-index/value-index.ts'
