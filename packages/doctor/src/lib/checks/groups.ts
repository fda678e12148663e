import type { Check } from '../check.ts'

export const GROUPS_CHECKS: readonly Check[] = []
