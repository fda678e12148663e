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
export { ScimError } from './lib/error.ts'
export type * as Scim from './lib/model.ts'
export { project } from './lib/project.ts'
export type { ListQueryOptions, ListTolerance } from './lib/query.ts'
export { parseListQuery, parseSearchRequest } from './lib/query.ts'
export type { ReadBodyOptions } from './lib/read-body.ts'
export { readBody } from './lib/read-body.ts'
export type { ExtensionSchemas, InferExtensions } from './lib/resource/extensions.ts'
export { groupResource, parseGroup } from './lib/resource/group.ts'
export type { ParseUserOptions, ResourceOptions } from './lib/resource/user.ts'
export { parseUser, userResource } from './lib/resource/user.ts'
export { errorResponse, listResponse, RawJson, scimResponse } from './lib/responses.ts'
export { compareResources } from './lib/sort.ts'
export { matchesVersion, version } from './lib/version.ts'
export type { WorkBudget } from './lib/work-budget.ts'
export { createWorkBudget } from './lib/work-budget.ts'
