import type { Check } from '../check.ts'
import { FORMAT_CHECKS } from './representation/format.ts'
import { META_CHECKS } from './representation/meta.ts'
import { REPRESENTED_SCHEMAS_CHECKS } from './representation/schemas.ts'
import { VALUE_CHECKS } from './representation/values.ts'

export const REPRESENTATION_CHECKS: readonly Check[] = [
  ...FORMAT_CHECKS,
  ...REPRESENTED_SCHEMAS_CHECKS,
  ...META_CHECKS,
  ...VALUE_CHECKS,
]
