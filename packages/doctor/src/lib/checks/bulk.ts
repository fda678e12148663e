import type { Check } from '../check.ts'
import { BULK_FAILURE_CHECKS } from './bulk/failures.ts'
import { BULK_OPERATION_CHECKS } from './bulk/operations.ts'

export const BULK_CHECKS: readonly Check[] = [...BULK_OPERATION_CHECKS, ...BULK_FAILURE_CHECKS]
