import type { Check } from '../check.ts'
import { REPLACED_CONTENT_CHECKS } from './replace/content.ts'
import { IMMUTABLE_CHECKS } from './replace/immutable.ts'

export const REPLACE_CHECKS: readonly Check[] = [...REPLACED_CONTENT_CHECKS, ...IMMUTABLE_CHECKS]
