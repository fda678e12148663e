import type { Fault } from './fault.ts'
import { ANSWERS_FAULTS } from './faults/answers.ts'
import { AUTHENTICATION_FAULTS } from './faults/authentication.ts'
import { BULK_FAULTS } from './faults/bulk.ts'
import { CONCURRENCY_FAULTS } from './faults/concurrency.ts'
import { CREATE_FAULTS } from './faults/create.ts'
import { CURSORS_FAULTS } from './faults/cursors.ts'
import { DECLARED_FAULTS } from './faults/declared.ts'
import { DELETE_FAULTS } from './faults/delete.ts'
import { DISCOVERY_FAULTS } from './faults/discovery.ts'
import { ENTRA_FAULTS } from './faults/entra.ts'
import { ERRORS_FAULTS } from './faults/errors.ts'
import { FILTERS_FAULTS } from './faults/filters.ts'
import { GROUPS_FAULTS } from './faults/groups.ts'
import { INTEROP_FAULTS } from './faults/interop.ts'
import { IPSIE_FAULTS } from './faults/ipsie.ts'
import { ME_FAULTS } from './faults/me.ts'
import { OKTA_FAULTS } from './faults/okta.ts'
import { PAGING_FAULTS } from './faults/paging.ts'
import { PATCH_ADD_FAULTS } from './faults/patch-add.ts'
import { PATCH_REMOVE_FAULTS } from './faults/patch-remove.ts'
import { PATCH_REPLACE_FAULTS } from './faults/patch-replace.ts'
import { PROJECTION_FAULTS } from './faults/projection.ts'
import { READ_FAULTS } from './faults/read.ts'
import { REPLACE_FAULTS } from './faults/replace.ts'
import { REPRESENTATION_FAULTS } from './faults/representation.ts'
import { ROBUSTNESS_FAULTS } from './faults/robustness.ts'
import { SEARCH_FAULTS } from './faults/search.ts'
import { SORTING_FAULTS } from './faults/sorting.ts'
import { STORED_FAULTS } from './faults/stored.ts'
import { UNIQUENESS_FAULTS } from './faults/uniqueness.ts'
import { VALUE_PATHS_FAULTS } from './faults/value-paths.ts'

/** The faults by topic: each check has at least one. */
export const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  discovery: DISCOVERY_FAULTS,
  representation: REPRESENTATION_FAULTS,
  create: CREATE_FAULTS,
  read: READ_FAULTS,
  replace: REPLACE_FAULTS,
  delete: DELETE_FAULTS,
  uniqueness: UNIQUENESS_FAULTS,
  filters: FILTERS_FAULTS,
  'value-paths': VALUE_PATHS_FAULTS,
  sorting: SORTING_FAULTS,
  paging: PAGING_FAULTS,
  cursors: CURSORS_FAULTS,
  projection: PROJECTION_FAULTS,
  'patch-add': PATCH_ADD_FAULTS,
  'patch-replace': PATCH_REPLACE_FAULTS,
  'patch-remove': PATCH_REMOVE_FAULTS,
  groups: GROUPS_FAULTS,
  bulk: BULK_FAULTS,
  me: ME_FAULTS,
  search: SEARCH_FAULTS,
  errors: ERRORS_FAULTS,
  authentication: AUTHENTICATION_FAULTS,
  concurrency: CONCURRENCY_FAULTS,
  robustness: ROBUSTNESS_FAULTS,
  entra: ENTRA_FAULTS,
  stored: STORED_FAULTS,
  declared: DECLARED_FAULTS,
  okta: OKTA_FAULTS,
  interop: INTEROP_FAULTS,
  ipsie: IPSIE_FAULTS,
  answers: ANSWERS_FAULTS,
}
