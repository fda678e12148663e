import type { Check } from '../check.ts'
import { OKTA_GROUP_CHECKS } from './okta/groups.ts'
import { OKTA_USER_CHECKS } from './okta/users.ts'

/** Rules from Okta's suites (SPEC and CRUD) and its provisioning. */
export const OKTA_CHECKS: readonly Check[] = [...OKTA_USER_CHECKS, ...OKTA_GROUP_CHECKS]
