import type { Check } from '../check.ts'

export const DELETE_CHECKS: readonly Check[] = []
