import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { type PatchRow, patchRow } from './patch-row.ts'

/** The name of a row about attributes with one value. */
export type SinglePatchRowName =
  | 'absent'
  | 'existing'
  | 'optional'
  | 'severalWords'
  | 'members'
  | 'oneMember'
  | 'active'
  | 'subAttribute'
  | 'complex'
  | 'extension'
  | 'extensionMember'

const ADA = { name: { givenName: 'Ada', familyName: 'Sample' } }
const GRACE = { name: { givenName: 'Grace', familyName: 'Sample' } }
const DEPARTMENT = `${ENTERPRISE_USER_SCHEMA}:department`
const NAMES = ['name.givenName', 'name.familyName']

/** Changes to attributes with one value: add and replace have the same result (RFC 7644 §3.5.2.1, §3.5.2.3). */
export const SINGLE_PATCH_ROWS: Readonly<Record<SinglePatchRowName, PatchRow>> = {
  absent: patchRow({
    section: 'RFC 7644 §3.5.2.1',
    needs: ['title'],
    before: () => ({ title: undefined }),
    path: 'title',
    value: 'Engineer',
    after: () => ({ title: 'Engineer' }),
  }),
  existing: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: ['displayName'],
    path: 'displayName',
    value: 'Grace Sample',
    after: () => ({ displayName: 'Grace Sample' }),
  }),
  optional: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: ['title'],
    before: () => ({ title: 'Engineer' }),
    path: 'title',
    value: 'Admiral',
    after: () => ({ title: 'Admiral' }),
  }),
  severalWords: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: ['title'],
    before: () => ({ title: 'Engineer' }),
    path: 'title',
    value: '7 Sample Street',
    after: () => ({ title: '7 Sample Street' }),
  }),
  members: patchRow({
    section: 'RFC 7644 §3.5.2.1',
    needs: ['title', 'displayName'],
    before: () => ({ title: undefined }),
    value: { title: 'Engineer', displayName: 'Grace Sample' },
    after: () => ({ title: 'Engineer', displayName: 'Grace Sample' }),
  }),
  oneMember: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: ['title', 'displayName'],
    before: () => ({ title: 'Engineer' }),
    value: { displayName: 'Grace Sample' },
    after: () => ({ title: 'Engineer', displayName: 'Grace Sample' }),
  }),
  active: patchRow({
    section: 'RFC 7643 §4.1.1',
    needs: ['active'],
    before: () => ({ active: true }),
    path: 'active',
    value: false,
    after: () => ({ active: false }),
  }),
  subAttribute: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: NAMES,
    before: () => ADA,
    path: 'name.givenName',
    value: 'Grace',
    after: () => GRACE,
  }),
  complex: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: NAMES,
    before: () => ADA,
    path: 'name',
    value: { givenName: 'Grace' },
    after: () => GRACE,
  }),
  extension: patchRow({
    section: 'RFC 7644 §3.10',
    needs: [DEPARTMENT],
    before: () => ({ [ENTERPRISE_USER_SCHEMA]: { department: 'Sales' } }),
    path: DEPARTMENT,
    value: 'Research',
    after: () => ({ [ENTERPRISE_USER_SCHEMA]: { department: 'Research' } }),
  }),
  extensionMember: patchRow({
    section: 'RFC 7643 §3.3',
    needs: [DEPARTMENT],
    before: () => ({ [ENTERPRISE_USER_SCHEMA]: { department: 'Sales' } }),
    value: { [ENTERPRISE_USER_SCHEMA]: { department: 'Research' } },
    after: () => ({ [ENTERPRISE_USER_SCHEMA]: { department: 'Research' } }),
  }),
}
