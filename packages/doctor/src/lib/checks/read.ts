import type { Check } from '../check.ts'

export const READ_CHECKS: readonly Check[] = []
