import type { Check } from '../check.ts'

export const UNIQUENESS_CHECKS: readonly Check[] = []
