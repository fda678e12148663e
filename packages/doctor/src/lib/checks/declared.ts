import type { Check } from '../check.ts'
import { ID_CHECKS } from './declared/ids.ts'
import { LAST_MODIFIED_CHECKS } from './declared/last-modified.ts'
import { LIST_CHECKS } from './declared/lists.ts'
import { MISSING_CHECKS } from './declared/missing.ts'
import { QUERY_CHECKS } from './declared/queries.ts'
import { TWIN_CHECKS } from './declared/twins.ts'
import { VALUE_CHECKS } from './declared/values.ts'
import { VERSION_CHECKS } from './declared/versions.ts'

/** Rules for every attribute that a server's schemas declare. */
export const DECLARED_CHECKS: readonly Check[] = [
  ...VALUE_CHECKS,
  ...MISSING_CHECKS,
  ...QUERY_CHECKS,
  ...LIST_CHECKS,
  ...VERSION_CHECKS,
  ...ID_CHECKS,
  ...TWIN_CHECKS,
  ...LAST_MODIFIED_CHECKS,
]
