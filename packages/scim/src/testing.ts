export type { StoresUnderTest } from './lib/contract/open-world.ts'
export type { FilterRow } from './lib/contract/rows/filter-row.ts'
export type { FilterRowName } from './lib/contract/rows/filter-rows.ts'
export { FILTER_ROWS } from './lib/contract/rows/filter-rows.ts'
export type { PersonName } from './lib/contract/rows/people.ts'
export { peopleOf } from './lib/contract/rows/people.ts'
export type { SortRow, SortRowName } from './lib/contract/rows/sort-rows.ts'
export { SORT_ROWS } from './lib/contract/rows/sort-rows.ts'
export type {
  CheckOutcome,
  ContractCheck,
  StoreContractOptions,
} from './lib/contract/store-contract.ts'
export { storeContract } from './lib/contract/store-contract.ts'
export type { Adapt } from './lib/contract/world.ts'
