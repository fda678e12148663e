export type { StoresUnderTest } from './lib/contract/open-world.ts'
export type {
  CheckOutcome,
  ContractCheck,
  StoreContractOptions,
} from './lib/contract/store-contract.ts'
export { storeContract } from './lib/contract/store-contract.ts'
export type { Adapt } from './lib/contract/world.ts'
