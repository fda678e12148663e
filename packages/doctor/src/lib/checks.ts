import type { Check } from './check.ts'
import { ANSWER_CHECKS } from './checks/answers.ts'
import { AUTHENTICATION_CHECKS } from './checks/authentication.ts'
import { BULK_CHECKS } from './checks/bulk.ts'
import { CONCURRENCY_CHECKS } from './checks/concurrency.ts'
import { CREATE_CHECKS } from './checks/create.ts'
import { CURSORS_CHECKS } from './checks/cursors.ts'
import { DECLARED_CHECKS } from './checks/declared.ts'
import { DELETE_CHECKS } from './checks/delete.ts'
import { DISCOVERY_CHECKS } from './checks/discovery.ts'
import { ENTRA_CHECKS } from './checks/entra.ts'
import { ERRORS_CHECKS } from './checks/errors.ts'
import { FILTERS_CHECKS } from './checks/filters.ts'
import { GROUPS_CHECKS } from './checks/groups.ts'
import { INTEROP_CHECKS } from './checks/interop.ts'
import { IPSIE_CHECKS } from './checks/ipsie.ts'
import { ME_CHECKS } from './checks/me.ts'
import { OKTA_CHECKS } from './checks/okta.ts'
import { PAGING_CHECKS } from './checks/paging.ts'
import { PATCH_ADD_CHECKS } from './checks/patch-add.ts'
import { PATCH_REMOVE_CHECKS } from './checks/patch-remove.ts'
import { PATCH_REPLACE_CHECKS } from './checks/patch-replace.ts'
import { PROJECTION_CHECKS } from './checks/projection.ts'
import { READ_CHECKS } from './checks/read.ts'
import { REPLACE_CHECKS } from './checks/replace.ts'
import { REPRESENTATION_CHECKS } from './checks/representation.ts'
import { ROBUSTNESS_CHECKS } from './checks/robustness.ts'
import { SEARCH_CHECKS } from './checks/search.ts'
import { SORTING_CHECKS } from './checks/sorting.ts'
import { STORED_CHECKS } from './checks/stored.ts'
import { UNIQUENESS_CHECKS } from './checks/uniqueness.ts'
import { VALUE_PATHS_CHECKS } from './checks/value-paths.ts'

/** The checks by topic, in the order in which they run. Ids start with the topic. */
export const TOPICS: Readonly<Record<string, readonly Check[]>> = {
  discovery: DISCOVERY_CHECKS,
  representation: REPRESENTATION_CHECKS,
  create: CREATE_CHECKS,
  read: READ_CHECKS,
  replace: REPLACE_CHECKS,
  delete: DELETE_CHECKS,
  uniqueness: UNIQUENESS_CHECKS,
  filters: FILTERS_CHECKS,
  'value-paths': VALUE_PATHS_CHECKS,
  sorting: SORTING_CHECKS,
  paging: PAGING_CHECKS,
  cursors: CURSORS_CHECKS,
  projection: PROJECTION_CHECKS,
  'patch-add': PATCH_ADD_CHECKS,
  'patch-replace': PATCH_REPLACE_CHECKS,
  'patch-remove': PATCH_REMOVE_CHECKS,
  stored: STORED_CHECKS,
  declared: DECLARED_CHECKS,
  groups: GROUPS_CHECKS,
  bulk: BULK_CHECKS,
  me: ME_CHECKS,
  search: SEARCH_CHECKS,
  errors: ERRORS_CHECKS,
  authentication: AUTHENTICATION_CHECKS,
  concurrency: CONCURRENCY_CHECKS,
  robustness: ROBUSTNESS_CHECKS,
  entra: ENTRA_CHECKS,
  okta: OKTA_CHECKS,
  interop: INTEROP_CHECKS,
  ipsie: IPSIE_CHECKS,
  // The last topic: it looks at the responses to all others.
  answers: ANSWER_CHECKS,
}

/** All checks, as data. An examination runs those that apply to the server. */
export const CHECKS: readonly Check[] = Object.values(TOPICS).flat()
