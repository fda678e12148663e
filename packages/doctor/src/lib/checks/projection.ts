import type { Check } from '../check.ts'

export const PROJECTION_CHECKS: readonly Check[] = []
