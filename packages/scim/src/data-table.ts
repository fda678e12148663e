export { UntranslatableFilterError } from './lib/data-table/error.ts'
export type { SplitFilter } from './lib/data-table/where.ts'
export { filterToWhere, splitFilter } from './lib/data-table/where.ts'
export type {
  ColumnEntry,
  ColumnMap,
  FoldedColumn,
  TextColumn,
  TypedColumn,
} from './lib/predicate/columns.ts'
