import type { Check } from '../check.ts'

export const VALUE_PATHS_CHECKS: readonly Check[] = []
