import type { Check } from '../check.ts'

export const SEARCH_CHECKS: readonly Check[] = []
