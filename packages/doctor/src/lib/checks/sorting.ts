import type { Check } from '../check.ts'

export const SORTING_CHECKS: readonly Check[] = []
