import type { Check } from '../check.ts'
import { CREATE_CHECKS } from './stored/creates.ts'
import { EXTREME_CHECKS } from './stored/extremes.ts'
import { LIST_CHECKS } from './stored/lists.ts'
import { PATCH_CHECKS } from './stored/patches.ts'
import { REPLACE_CHECKS } from './stored/replaces.ts'
import { TEXT_CHECKS } from './stored/texts.ts'
import { UNIQUE_CHECKS } from './stored/unique.ts'

/** Rules for every value in a server's schemas, as it is created, changed and removed. */
export const STORED_CHECKS: readonly Check[] = [
  ...CREATE_CHECKS,
  ...TEXT_CHECKS,
  ...LIST_CHECKS,
  ...REPLACE_CHECKS,
  ...PATCH_CHECKS,
  ...UNIQUE_CHECKS,
  ...EXTREME_CHECKS,
]
