import type { Check } from '../check.ts'

export const ENTRA_CHECKS: readonly Check[] = []
