import type { Check } from '../check.ts'
import { LOGIC_CHECKS } from './filters/logic.ts'
import { NAME_CHECKS } from './filters/names.ts'
import { OPERATOR_CHECKS } from './filters/operators.ts'
import { PRESENCE_CHECKS } from './filters/presence.ts'
import { REJECTION_CHECKS } from './filters/rejections.ts'
import { VALUE_CHECKS } from './filters/values.ts'

export const FILTERS_CHECKS: readonly Check[] = [
  ...OPERATOR_CHECKS,
  ...LOGIC_CHECKS,
  ...NAME_CHECKS,
  ...PRESENCE_CHECKS,
  ...VALUE_CHECKS,
  ...REJECTION_CHECKS,
]
