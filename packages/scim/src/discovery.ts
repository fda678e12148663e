export {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from './lib/discovery/definitions.ts'
export { resourceTypes, schemas, serviceProviderConfig } from './lib/discovery/documents.ts'
export { pickAttributes } from './lib/discovery/pick.ts'
export type * as Discovery from './lib/discovery/types.ts'
