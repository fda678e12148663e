import type { Check } from '../check.ts'

export const PATCH_ADD_CHECKS: readonly Check[] = []
