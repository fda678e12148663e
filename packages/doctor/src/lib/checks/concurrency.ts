import type { Check } from '../check.ts'

export const CONCURRENCY_CHECKS: readonly Check[] = []
