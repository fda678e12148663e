import type { Check } from '../check.ts'
import { LIST_CHECKS } from './declared/lists.ts'
import { MISSING_CHECKS } from './declared/missing.ts'
import { QUERY_CHECKS } from './declared/queries.ts'
import { VALUE_CHECKS } from './declared/values.ts'
import { VERSION_CHECKS } from './declared/versions.ts'

/** Rules for every attribute that a server's schemas declare. */
export const DECLARED_CHECKS: readonly Check[] = [
  ...VALUE_CHECKS,
  ...MISSING_CHECKS,
  ...QUERY_CHECKS,
  ...LIST_CHECKS,
  ...VERSION_CHECKS,
]
