import type { Check } from '../check.ts'

export const CURSORS_CHECKS: readonly Check[] = []
