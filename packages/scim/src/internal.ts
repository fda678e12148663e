/** For the directory server of the same version. These names change without notice. */
export { countComparisons } from './lib/filter/count.ts'
export type { Cursor, CursorQuery, SentCursor } from './lib/list/cursor.ts'
export { readCursor, writeCursor } from './lib/list/cursor.ts'
export { countWithin, fitsWithin } from './lib/list/fits-within.ts'
export type { IndexedPage } from './lib/list/page.ts'
export type { Place, Position, RowOrder, RowOrderOptions } from './lib/list/position.ts'
export { rowOrder } from './lib/list/position.ts'
export type { RangeReader, RangeRows } from './lib/list/range-source.ts'
export { sourceOfRanges } from './lib/list/range-source.ts'
export type { CursorPlace, LinkedPage, ListLimits, RowList } from './lib/list/row-list.ts'
export { listByCursor, listByIndex } from './lib/list/row-list.ts'
export type { Batch, RowSource } from './lib/list/row-source.ts'
export { stringifyWithList } from './lib/message/responses.ts'
export type {
  IndexedColumnMap,
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
export type { RenderedSql } from './lib/sql/dialect.ts'
export { renderSql } from './lib/sql/dialect.ts'
export type {
  FilterToPredicateOptions,
  PredicateFilter,
  PredicateToSqlOptions,
} from './lib/sql/filter-to-predicate.ts'
export { filterToPredicate, predicateToSql } from './lib/sql/filter-to-predicate.ts'
export type { Fragment, SqlTraits } from './lib/sql/fragment.ts'
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
export type { RowRange, SizeLimits, TableRows } from './lib/sql/table-rows.ts'
export { readByIds, readRange } from './lib/sql/table-rows.ts'
export type { IndexRow } from './lib/sql/value-index/rows.ts'
export type { RowOwner } from './lib/sql/value-index/statements.ts'
export type {
  OwnedChange,
  OwnedResource,
  ValueIndex,
} from './lib/sql/value-index/value-index.ts'
export { valueIndex } from './lib/sql/value-index/value-index.ts'
