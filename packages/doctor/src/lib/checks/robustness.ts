import type { Check } from '../check.ts'
import { BODY_CHECKS } from './robustness/bodies.ts'
import { REQUEST_CHECKS } from './robustness/requests.ts'

export const ROBUSTNESS_CHECKS: readonly Check[] = [...BODY_CHECKS, ...REQUEST_CHECKS]
