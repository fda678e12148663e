import type { Check } from '../check.ts'
import { CONDITION_CHECKS } from './concurrency/conditions.ts'
import { RACE_CHECKS } from './concurrency/races.ts'

export const CONCURRENCY_CHECKS: readonly Check[] = [...CONDITION_CHECKS, ...RACE_CHECKS]
