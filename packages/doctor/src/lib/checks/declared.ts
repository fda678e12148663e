import type { Check } from '../check.ts'
import { CHANGED_LIST_CHECKS } from './declared/changed-lists.ts'
import { ID_CHECKS } from './declared/ids.ts'
import { LAST_MODIFIED_CHECKS } from './declared/last-modified.ts'
import { LIST_CHECKS } from './declared/lists.ts'
import { MISSING_CHECKS } from './declared/missing.ts'
import { OTHER_TYPE_CHECKS } from './declared/other-types.ts'
import { QUERY_CHECKS } from './declared/queries.ts'
import { TWIN_CHECKS } from './declared/twins.ts'
import { VALUE_CHECKS } from './declared/values.ts'
import { VERSION_CHECKS } from './declared/versions.ts'

/** Rules for every attribute in a server's schemas. */
export const DECLARED_CHECKS: readonly Check[] = [
  ...VALUE_CHECKS,
  ...MISSING_CHECKS,
  ...QUERY_CHECKS,
  ...LIST_CHECKS,
  ...VERSION_CHECKS,
  ...ID_CHECKS,
  ...TWIN_CHECKS,
  ...LAST_MODIFIED_CHECKS,
  ...CHANGED_LIST_CHECKS,
  ...OTHER_TYPE_CHECKS,
]
