export {
  BULK_REQUEST_SCHEMA,
  BULK_RESPONSE_SCHEMA,
  ENTERPRISE_USER_SCHEMA,
  ERROR_SCHEMA,
  GROUP_SCHEMA,
  LIST_RESPONSE_SCHEMA,
  MEDIA_TYPE,
  PATCH_OP_SCHEMA,
  SEARCH_REQUEST_SCHEMA,
  USER_SCHEMA,
} from './lib/constants.ts'
export type { ScimErrorOptions } from './lib/error.ts'
export { ScimError, uniquenessError } from './lib/error.ts'
export type { ListQueryOptions, ListTolerance } from './lib/message/list-query.ts'
export { parseListQuery, parseSearchRequest } from './lib/message/list-query.ts'
export { RawJson } from './lib/message/raw-json.ts'
export type { ReadBodyOptions } from './lib/message/read-body.ts'
export { readBody } from './lib/message/read-body.ts'
export {
  errorResponse,
  listResponse,
  scimResponse,
  stringifyList,
} from './lib/message/responses.ts'
export type * as Scim from './lib/model.ts'
export type { ExtensionSchemas, InferExtensions } from './lib/resource/extensions.ts'
export { groupResource, parseGroup } from './lib/resource/group.ts'
export type { ParseResourceOptions } from './lib/resource/parse-resource.ts'
export { parseResource } from './lib/resource/parse-resource.ts'
export { project } from './lib/resource/project.ts'
export { compareResources } from './lib/resource/sort.ts'
export type { ParseUserOptions, ResourceOptions } from './lib/resource/user.ts'
export { parseUser, userResource } from './lib/resource/user.ts'
export type { VersionOptions } from './lib/resource/version.ts'
export { matchesVersion, version } from './lib/resource/version.ts'
export { writeResource } from './lib/resource/write-resource.ts'
export { fold } from './lib/values/fold.ts'
export type { WorkBudget } from './lib/work-budget.ts'
export { createWorkBudget } from './lib/work-budget.ts'
