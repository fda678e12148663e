import type { Check } from '../check.ts'
import { INTEROP_ANSWER_CHECKS } from './interop/answers.ts'
import { INTEROP_REQUEST_CHECKS } from './interop/requests.ts'
import { INTEROP_UNKNOWN_CHECKS } from './interop/unknown.ts'

/** Rules the SCIM interoperability profile adds to the standard. */
export const INTEROP_CHECKS: readonly Check[] = [
  ...INTEROP_REQUEST_CHECKS,
  ...INTEROP_ANSWER_CHECKS,
  ...INTEROP_UNKNOWN_CHECKS,
]
