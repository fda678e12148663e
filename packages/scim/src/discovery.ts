export { resourceTypes } from './lib/discovery/resource-types.ts'
export { schemas } from './lib/discovery/schemas.ts'
export { serviceProviderConfig } from './lib/discovery/service-provider-config.ts'
export {
  ENTERPRISE_USER_DEFINITION,
  GROUP_DEFINITION,
  USER_DEFINITION,
} from './lib/schema/core-schemas.ts'
export { pickAttributes } from './lib/schema/pick.ts'
export type * as Discovery from './lib/schema/types.ts'
