import type { Check } from '../check.ts'

export const AUTHENTICATION_CHECKS: readonly Check[] = []
