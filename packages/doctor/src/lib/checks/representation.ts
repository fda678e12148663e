import type { Check } from '../check.ts'

export const REPRESENTATION_CHECKS: readonly Check[] = []
