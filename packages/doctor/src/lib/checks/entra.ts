import type { Check } from '../check.ts'
import { ENTRA_GROUP_CHECKS } from './entra/groups.ts'
import { ENTRA_REQUEST_CHECKS } from './entra/requests.ts'
import { ENTRA_TARGET_CHECKS } from './entra/targets.ts'
import { ENTRA_VALUE_CHECKS } from './entra/values.ts'

/** Rules from Microsoft Entra ID's provisioning service and validator. */
export const ENTRA_CHECKS: readonly Check[] = [
  ...ENTRA_REQUEST_CHECKS,
  ...ENTRA_TARGET_CHECKS,
  ...ENTRA_VALUE_CHECKS,
  ...ENTRA_GROUP_CHECKS,
]
