import type { Check } from '../check.ts'

export const PATCH_REMOVE_CHECKS: readonly Check[] = []
