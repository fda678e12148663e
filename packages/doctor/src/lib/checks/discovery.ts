import type { Check } from '../check.ts'
import { CONFIG_CHECKS } from './discovery/config.ts'
import { RESOURCE_TYPE_CHECKS } from './discovery/resource-types.ts'
import { SCHEMA_CHECKS } from './discovery/schemas.ts'

export const DISCOVERY_CHECKS: readonly Check[] = [
  ...CONFIG_CHECKS,
  ...RESOURCE_TYPE_CHECKS,
  ...SCHEMA_CHECKS,
]
