export type { Change, ChangeDetail, ChangeFacts } from './lib/endpoint/changes/changes.ts'
export type { OnChange } from './lib/endpoint/changes/report-changes.ts'
export type { Transaction } from './lib/endpoint/core/transaction.ts'
export type { ScimEndpoint, TransactingEndpoint } from './lib/endpoint/endpoint.ts'
export { createScimEndpoint } from './lib/endpoint/endpoint.ts'
export type { Limits } from './lib/endpoint/options/limits.ts'
export type { Outbox } from './lib/endpoint/options/outbox.ts'
export { createOutbox } from './lib/endpoint/options/outbox.ts'
export type { Profile, ProfileName } from './lib/endpoint/options/profiles.ts'
export { PROFILES } from './lib/endpoint/options/profiles.ts'
export type {
  DefinedStore,
  ResourceType,
  ResourceTypeOptions,
  SeveralTables,
} from './lib/endpoint/options/resource-type.ts'
export { defineResourceType } from './lib/endpoint/options/resource-type.ts'
export type {
  AppliedStep,
  CursorSupport,
  ListAnswer,
  ListRequest,
  Membership,
  MembersRequest,
  PreparedParts,
  ReadRequest,
  ReferenceRequest,
  ReplaceRequest,
  ResourceStore,
  StoredResource,
  StoreRequest,
  View,
  WireResource,
} from './lib/endpoint/options/store.ts'
export { PreparedResource } from './lib/endpoint/options/store.ts'
export type {
  IssuedToken,
  IssueTokenOptions,
  OneToken,
  StoredTokens,
} from './lib/endpoint/options/tokens.ts'
export { bearerTokens, issueToken } from './lib/endpoint/options/tokens.ts'
export type {
  Answered,
  MeOptions,
  OneTable,
  ScimEndpointOptions,
  TransactionIfNeeded,
} from './lib/endpoint/options.ts'
export type {
  NamedResource,
  PageOfIds,
  ResourceReader,
} from './lib/endpoint/read/resource-reader.ts'
export type { CursorOptions } from './lib/list/cursor.ts'
export type { MemoryStore, MemoryStoreOptions } from './lib/memory/store.ts'
export { memoryStore } from './lib/memory/store.ts'
