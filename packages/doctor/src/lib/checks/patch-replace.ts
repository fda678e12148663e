import type { Check } from '../check.ts'

export const PATCH_REPLACE_CHECKS: readonly Check[] = []
