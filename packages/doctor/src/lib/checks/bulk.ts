import type { Check } from '../check.ts'

export const BULK_CHECKS: readonly Check[] = []
