export type { Change, ChangeDetail, ChangeFacts } from './lib/endpoint/changes.ts'
export type { ScimEndpoint, TransactingEndpoint } from './lib/endpoint/endpoint.ts'
export { createScimEndpoint } from './lib/endpoint/endpoint.ts'
export type { Limits } from './lib/endpoint/limits.ts'
export type { MemoryStore, MemoryStoreOptions } from './lib/endpoint/memory/store.ts'
export { memoryStore } from './lib/endpoint/memory/store.ts'
export type { Answered, MeOptions, OneTable, ScimEndpointOptions, TransactionIfNeeded } from './lib/endpoint/options.ts'
export type { OnChange } from './lib/endpoint/report-changes.ts'
export type { Outbox } from './lib/endpoint/outbox.ts'
export { createOutbox } from './lib/endpoint/outbox.ts'
export type { Profile, ProfileName } from './lib/endpoint/profiles.ts'
export { PROFILES } from './lib/endpoint/profiles.ts'
export type { NamedResource, PageOfIds, ResourceReader } from './lib/endpoint/reader.ts'
export type {
  DefinedStore,
  ResourceType,
  ResourceTypeOptions,
  SeveralTables,
} from './lib/endpoint/resource-type.ts'
export { defineResourceType } from './lib/endpoint/resource-type.ts'
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
} from './lib/endpoint/store.ts'
export { PreparedResource } from './lib/endpoint/store.ts'
export type {
  IssuedToken,
  IssueTokenOptions,
  OneToken,
  StoredTokens,
} from './lib/endpoint/tokens.ts'
export { bearerTokens, issueToken } from './lib/endpoint/tokens.ts'
export type { Transaction } from './lib/endpoint/writing.ts'
export type { Cursor, CursorOptions, CursorQuery, SentCursor } from './lib/list/cursor.ts'
export { readCursor, writeCursor } from './lib/list/cursor.ts'
export { countWithin, fitsWithin } from './lib/list/fits-within.ts'
export type { IndexedPage } from './lib/list/page.ts'
export type {
  Place,
  Position,
  RowOrder,
  RowOrderOptions,
} from './lib/list/position.ts'
export { rowOrder } from './lib/list/position.ts'
export type { RangeReader, RangeRows } from './lib/list/range-source.ts'
export { sourceOfRanges } from './lib/list/range-source.ts'
export type { CursorPlace, LinkedPage, ListLimits, RowList } from './lib/list/row-list.ts'
export { listByCursor, listByIndex } from './lib/list/row-list.ts'
export type { Batch, RowSource } from './lib/list/row-source.ts'
