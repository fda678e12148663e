import type { Check } from '../check.ts'

export const ROBUSTNESS_CHECKS: readonly Check[] = []
