import type { Check } from '../check.ts'

export const OKTA_CHECKS: readonly Check[] = []
