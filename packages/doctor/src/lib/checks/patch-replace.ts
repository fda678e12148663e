import type { Check } from '../check.ts'
import { REPLACE_REJECTION_CHECKS } from './patch-replace/rejections.ts'
import { REPLACE_REQUEST_CHECKS } from './patch-replace/requests.ts'
import { REPLACE_TARGET_CHECKS } from './patch-replace/targets.ts'
import { WHOLE_CHECKS } from './patch-replace/whole.ts'

export const PATCH_REPLACE_CHECKS: readonly Check[] = [
  ...REPLACE_TARGET_CHECKS,
  ...WHOLE_CHECKS,
  ...REPLACE_REQUEST_CHECKS,
  ...REPLACE_REJECTION_CHECKS,
]
