import type { Check } from '../check.ts'

export const ERRORS_CHECKS: readonly Check[] = []
