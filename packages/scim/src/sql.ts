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
  ValueKey,
  ValueKeys,
  ValuePart,
  ValueRows,
} from './lib/predicate/columns.ts'
export type {
  Comparison,
  Exists,
  FoldedIn,
  In,
  Join,
  Match,
  Predicate,
  PredicateValue,
} from './lib/predicate/predicate.ts'
export { compare, logical } from './lib/predicate/predicate.ts'
export { valueKeys } from './lib/predicate/value-keys.ts'
export type { Dialect, RenderedSql } from './lib/sql/dialect.ts'
export { renderSql } from './lib/sql/dialect.ts'
export type {
  FilterToPredicateOptions,
  PredicateFilter,
  PredicateToSqlOptions,
} from './lib/sql/filter-to-predicate.ts'
export { filterToPredicate, predicateToSql } from './lib/sql/filter-to-predicate.ts'
export type { FilterToSqlOptions, SqlFilter } from './lib/sql/filter-to-sql.ts'
export { filterToSql } from './lib/sql/filter-to-sql.ts'
export type { Fragment, SqlTraits, SqlValue } from './lib/sql/fragment.ts'
export {
  bindList,
  chunkRows,
  joinFragments,
  plannedForValues,
  raw,
  sql,
} from './lib/sql/fragment.ts'
export type { NarrowedFilter, NarrowFilterOptions } from './lib/sql/narrow-filter.ts'
export { narrowFilter } from './lib/sql/narrow-filter.ts'
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
export type { RowRange, SizeLimits, TableRows } from './lib/sql/table-rows.ts'
export { readByIds, readRange } from './lib/sql/table-rows.ts'
export type { IndexRow } from './lib/sql/value-index/rows.ts'
export type { RowOwner } from './lib/sql/value-index/statements.ts'
export type {
  OwnedChange,
  OwnedResource,
  ValueIndex,
  ValueIndexOptions,
} from './lib/sql/value-index/value-index.ts'
export { valueIndex } from './lib/sql/value-index/value-index.ts'
