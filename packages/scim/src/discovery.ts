export { resourceTypes, schemas, serviceProviderConfig } from './lib/discovery/documents.ts'
export {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from './lib/schema/core-schemas.ts'
export { pickAttributes } from './lib/schema/pick.ts'
export type * as Discovery from './lib/schema/types.ts'
