import type { Check } from '../check.ts'
import { INTEROP_REQUEST_CHECKS } from './interop/requests.ts'
import { INTEROP_UNKNOWN_CHECKS } from './interop/unknown.ts'

/** Rules of the SCIM interoperability profile, beyond those of the standard. */
export const INTEROP_CHECKS: readonly Check[] = [
  ...INTEROP_REQUEST_CHECKS,
  ...INTEROP_UNKNOWN_CHECKS,
]
