import type { Check } from '../check.ts'

export const REPLACE_CHECKS: readonly Check[] = []
