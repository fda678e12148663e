import type { Check } from '../check.ts'

export const ME_CHECKS: readonly Check[] = []
