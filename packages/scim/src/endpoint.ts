export type {
  AppliedStep,
  CursorSupport,
  ListAnswer,
  ListRequest,
  MembersRequest,
  PreparedParts,
  ReadRequest,
  ReplaceRequest,
  ResourceStore,
  StoredResource,
  StoreRequest,
  View,
  WireResource,
} from './lib/endpoint/store.ts'
export { PreparedResource } from './lib/endpoint/store.ts'
