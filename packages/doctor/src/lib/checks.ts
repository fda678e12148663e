import type { Check } from './check.ts'
import { ANSWER_CHECKS } from './checks/answers.ts'
import { AUTHENTICATION_CHECKS } from './checks/authentication.ts'
import { BULK_FAILURE_CHECKS } from './checks/bulk/failures.ts'
import { BULK_OPERATION_CHECKS } from './checks/bulk/operations.ts'
import { CONCURRENCY_CONDITION_CHECKS } from './checks/concurrency/conditions.ts'
import { CONCURRENCY_RACE_CHECKS } from './checks/concurrency/races.ts'
import { CREATE_CONTENT_CHECKS } from './checks/create/content.ts'
import { CREATE_MARKUP_CHECKS } from './checks/create/markup.ts'
import { CREATE_REJECTION_CHECKS } from './checks/create/rejections.ts'
import { CREATE_USER_CHECKS } from './checks/create/users.ts'
import { CURSORS_CHECKS } from './checks/cursors.ts'
import { DECLARED_CHANGED_LIST_CHECKS } from './checks/declared/changed-lists.ts'
import { DECLARED_ID_CHECKS } from './checks/declared/ids.ts'
import { DECLARED_LAST_MODIFIED_CHECKS } from './checks/declared/last-modified.ts'
import { DECLARED_LIST_CHECKS } from './checks/declared/lists.ts'
import { DECLARED_MISSING_CHECKS } from './checks/declared/missing.ts'
import { DECLARED_OTHER_TYPE_CHECKS } from './checks/declared/other-types.ts'
import { DECLARED_QUERY_CHECKS } from './checks/declared/queries.ts'
import { DECLARED_TWIN_CHECKS } from './checks/declared/twins.ts'
import { DECLARED_VALUE_CHECKS } from './checks/declared/values.ts'
import { DECLARED_VERSION_CHECKS } from './checks/declared/versions.ts'
import { DELETE_CHECKS } from './checks/delete.ts'
import { DISCOVERY_CONFIG_CHECKS } from './checks/discovery/config.ts'
import { DISCOVERY_RESOURCE_TYPE_CHECKS } from './checks/discovery/resource-types.ts'
import { DISCOVERY_SCHEMA_CHECKS } from './checks/discovery/schemas.ts'
import { ENTRA_GROUP_CHECKS } from './checks/entra/groups.ts'
import { ENTRA_REQUEST_CHECKS } from './checks/entra/requests.ts'
import { ENTRA_TARGET_CHECKS } from './checks/entra/targets.ts'
import { ENTRA_VALUE_CHECKS } from './checks/entra/values.ts'
import { ERRORS_CHECKS } from './checks/errors.ts'
import { FILTER_LOGIC_CHECKS } from './checks/filters/logic.ts'
import { FILTER_NAME_CHECKS } from './checks/filters/names.ts'
import { FILTER_OPERATOR_CHECKS } from './checks/filters/operators.ts'
import { FILTER_PRESENCE_CHECKS } from './checks/filters/presence.ts'
import { FILTER_REJECTION_CHECKS } from './checks/filters/rejections.ts'
import { FILTER_VALUE_CHECKS } from './checks/filters/values.ts'
import { GROUP_CONTENT_CHECKS } from './checks/groups/content.ts'
import { GROUP_MEMBER_CHECKS } from './checks/groups/members.ts'
import { GROUP_MEMBERSHIP_CHECKS } from './checks/groups/memberships.ts'
import { INTEROP_ANSWER_CHECKS } from './checks/interop/answers.ts'
import { INTEROP_REQUEST_CHECKS } from './checks/interop/requests.ts'
import { INTEROP_UNKNOWN_CHECKS } from './checks/interop/unknown.ts'
import { IPSIE_CHECKS } from './checks/ipsie.ts'
import { ME_CHECKS } from './checks/me.ts'
import { OKTA_GROUP_CHECKS } from './checks/okta/groups.ts'
import { OKTA_USER_CHECKS } from './checks/okta/users.ts'
import { PAGING_MANY_CHECKS } from './checks/paging/many.ts'
import { PAGING_PAGE_CHECKS } from './checks/paging/pages.ts'
import { PATCH_ADD_CHECKS } from './checks/patch-add.ts'
import { PATCH_REMOVE_CHECKS } from './checks/patch-remove.ts'
import { PATCH_REPLACE_REJECTION_CHECKS } from './checks/patch-replace/rejections.ts'
import { PATCH_REPLACE_REQUEST_CHECKS } from './checks/patch-replace/requests.ts'
import { PATCH_REPLACE_TARGET_CHECKS } from './checks/patch-replace/targets.ts'
import { PATCH_REPLACE_WHOLE_CHECKS } from './checks/patch-replace/whole.ts'
import { PROJECTION_NAME_CHECKS } from './checks/projection/names.ts'
import { PROJECTION_WRITE_CHECKS } from './checks/projection/writes.ts'
import { READ_CHECKS } from './checks/read.ts'
import { REPLACE_CONTENT_CHECKS } from './checks/replace/content.ts'
import { REPLACE_IMMUTABLE_CHECKS } from './checks/replace/immutable.ts'
import { REPRESENTATION_FORMAT_CHECKS } from './checks/representation/format.ts'
import { REPRESENTATION_META_CHECKS } from './checks/representation/meta.ts'
import { REPRESENTATION_SCHEMA_CHECKS } from './checks/representation/schemas.ts'
import { REPRESENTATION_VALUE_CHECKS } from './checks/representation/values.ts'
import { ROBUSTNESS_BODY_CHECKS } from './checks/robustness/bodies.ts'
import { ROBUSTNESS_REQUEST_CHECKS } from './checks/robustness/requests.ts'
import { SEARCH_CHECKS } from './checks/search.ts'
import { SORTING_CHECKS } from './checks/sorting.ts'
import { STORED_CREATE_CHECKS } from './checks/stored/creates.ts'
import { STORED_EXTREME_CHECKS } from './checks/stored/extremes.ts'
import { STORED_LIST_CHECKS } from './checks/stored/lists.ts'
import { STORED_PATCH_CHECKS } from './checks/stored/patches.ts'
import { STORED_REPLACE_CHECKS } from './checks/stored/replaces.ts'
import { STORED_TEXT_CHECKS } from './checks/stored/texts.ts'
import { STORED_UNIQUE_CHECKS } from './checks/stored/unique.ts'
import { UNIQUENESS_CHECKS } from './checks/uniqueness.ts'
import { VALUE_PATHS_CHECKS } from './checks/value-paths.ts'

/** The checks by topic, in the order in which they run. Ids start with the topic. */
export const TOPICS: Readonly<Record<string, readonly Check[]>> = {
  discovery: [
    DISCOVERY_CONFIG_CHECKS,
    DISCOVERY_RESOURCE_TYPE_CHECKS,
    DISCOVERY_SCHEMA_CHECKS,
  ].flat(),
  representation: [
    REPRESENTATION_FORMAT_CHECKS,
    REPRESENTATION_SCHEMA_CHECKS,
    REPRESENTATION_META_CHECKS,
    REPRESENTATION_VALUE_CHECKS,
  ].flat(),
  create: [
    CREATE_USER_CHECKS,
    CREATE_CONTENT_CHECKS,
    CREATE_REJECTION_CHECKS,
    CREATE_MARKUP_CHECKS,
  ].flat(),
  read: READ_CHECKS,
  replace: [REPLACE_CONTENT_CHECKS, REPLACE_IMMUTABLE_CHECKS].flat(),
  delete: DELETE_CHECKS,
  uniqueness: UNIQUENESS_CHECKS,
  filters: [
    FILTER_OPERATOR_CHECKS,
    FILTER_LOGIC_CHECKS,
    FILTER_NAME_CHECKS,
    FILTER_PRESENCE_CHECKS,
    FILTER_VALUE_CHECKS,
    FILTER_REJECTION_CHECKS,
  ].flat(),
  'value-paths': VALUE_PATHS_CHECKS,
  sorting: SORTING_CHECKS,
  paging: [PAGING_PAGE_CHECKS, PAGING_MANY_CHECKS].flat(),
  cursors: CURSORS_CHECKS,
  projection: [PROJECTION_NAME_CHECKS, PROJECTION_WRITE_CHECKS].flat(),
  'patch-add': PATCH_ADD_CHECKS,
  'patch-replace': [
    PATCH_REPLACE_TARGET_CHECKS,
    PATCH_REPLACE_WHOLE_CHECKS,
    PATCH_REPLACE_REQUEST_CHECKS,
    PATCH_REPLACE_REJECTION_CHECKS,
  ].flat(),
  'patch-remove': PATCH_REMOVE_CHECKS,
  // Every value in a server's schemas, as it is created, changed and removed.
  stored: [
    STORED_CREATE_CHECKS,
    STORED_TEXT_CHECKS,
    STORED_LIST_CHECKS,
    STORED_REPLACE_CHECKS,
    STORED_PATCH_CHECKS,
    STORED_UNIQUE_CHECKS,
    STORED_EXTREME_CHECKS,
  ].flat(),
  // Every attribute in a server's schemas.
  declared: [
    DECLARED_VALUE_CHECKS,
    DECLARED_MISSING_CHECKS,
    DECLARED_QUERY_CHECKS,
    DECLARED_LIST_CHECKS,
    DECLARED_VERSION_CHECKS,
    DECLARED_ID_CHECKS,
    DECLARED_TWIN_CHECKS,
    DECLARED_LAST_MODIFIED_CHECKS,
    DECLARED_CHANGED_LIST_CHECKS,
    DECLARED_OTHER_TYPE_CHECKS,
  ].flat(),
  groups: [GROUP_MEMBER_CHECKS, GROUP_MEMBERSHIP_CHECKS, GROUP_CONTENT_CHECKS].flat(),
  bulk: [BULK_OPERATION_CHECKS, BULK_FAILURE_CHECKS].flat(),
  me: ME_CHECKS,
  search: SEARCH_CHECKS,
  errors: ERRORS_CHECKS,
  authentication: AUTHENTICATION_CHECKS,
  concurrency: [CONCURRENCY_CONDITION_CHECKS, CONCURRENCY_RACE_CHECKS].flat(),
  robustness: [ROBUSTNESS_BODY_CHECKS, ROBUSTNESS_REQUEST_CHECKS].flat(),
  // Rules from Microsoft Entra ID's provisioning service and validator.
  entra: [ENTRA_REQUEST_CHECKS, ENTRA_TARGET_CHECKS, ENTRA_VALUE_CHECKS, ENTRA_GROUP_CHECKS].flat(),
  // Rules from Okta's suites (SPEC and CRUD) and its provisioning.
  okta: [OKTA_USER_CHECKS, OKTA_GROUP_CHECKS].flat(),
  // Rules the SCIM interoperability profile adds to the standard.
  interop: [INTEROP_REQUEST_CHECKS, INTEROP_ANSWER_CHECKS, INTEROP_UNKNOWN_CHECKS].flat(),
  ipsie: IPSIE_CHECKS,
  // The last topic: it looks at the responses to all others.
  answers: ANSWER_CHECKS,
}

/** All checks, as data. An examination runs those that apply to the server. */
export const CHECKS: readonly Check[] = Object.values(TOPICS).flat()
