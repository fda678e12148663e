export type {
  CheckOutcome,
  ContractCheck,
  StoreContractOptions,
} from './lib/contract/contract-check.ts'
export type { StoresUnderTest } from './lib/contract/serve.ts'
export { storeContract } from './lib/contract/store-contract.ts'
export type { FilterRow } from './lib/rows/filter-row.ts'
export type { FilterRowName } from './lib/rows/filter-rows.ts'
export { FILTER_ROWS } from './lib/rows/filter-rows.ts'
export type { PatchRow, UserValues } from './lib/rows/patch-row.ts'
export type { PatchRowName } from './lib/rows/patch-rows.ts'
export { PATCH_ROWS } from './lib/rows/patch-rows.ts'
export type { PersonName } from './lib/rows/people.ts'
export { peopleOf } from './lib/rows/people.ts'
export type { SortRow, SortRowName } from './lib/rows/sort-rows.ts'
export { SORT_ROWS } from './lib/rows/sort-rows.ts'
export type { Adapt } from './lib/toolkit/adapt.ts'
