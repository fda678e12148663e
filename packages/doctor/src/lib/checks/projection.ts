import type { Check } from '../check.ts'
import { LIST_PROJECTION_CHECKS } from './projection/names.ts'
import { WRITE_PROJECTION_CHECKS } from './projection/writes.ts'

export const PROJECTION_CHECKS: readonly Check[] = [
  ...LIST_PROJECTION_CHECKS,
  ...WRITE_PROJECTION_CHECKS,
]
