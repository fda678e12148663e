import type { Check } from '../check.ts'
import { GROUP_CONTENT_CHECKS } from './groups/content.ts'
import { MEMBER_CHECKS } from './groups/members.ts'
import { MEMBERSHIP_CHECKS } from './groups/memberships.ts'

export const GROUPS_CHECKS: readonly Check[] = [
  ...MEMBER_CHECKS,
  ...MEMBERSHIP_CHECKS,
  ...GROUP_CONTENT_CHECKS,
]
