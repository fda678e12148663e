import type { Check } from '../check.ts'

export const PAGING_CHECKS: readonly Check[] = []
