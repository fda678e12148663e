import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { Check } from '../check.ts'
import { stringsOf } from '../json.ts'
import { patching } from '../patching.ts'
import { INTEROP_CLIENTS } from '../profiles.ts'
import { PATCH_ROWS } from '../rows/patch-rows.ts'
import { RULES } from '../rules.ts'
import { expectMember, expectStatus, expectThat } from '../toolkit/expect.ts'
import {
  elementOf,
  expectUnmodified,
  modifyResource,
  modifyUser,
  readResource,
  waitForLaterChange,
} from '../toolkit/patch.ts'

export const PATCH_ADD_CHECKS: readonly Check[] = [
  patching({
    id: 'patch-add.attribute',
    row: PATCH_ROWS.absent,
    op: 'add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'the attribute is added with the new value',
    title: 'add with the path of an attribute without a value sets it',
    advice: 'Apply the operation to the attribute that the path names, and store the result.',
    affects: { entra: 'Attributes that were empty before are never provisioned.' },
  }),
  patching({
    id: 'patch-add.existing-attribute',
    row: PATCH_ROWS.existing,
    op: 'add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'single-valued attribute, the existing value is replaced',
    title: 'add to a single-valued attribute replaces its value',
    advice: 'Treat add like replace if the attribute is single-valued and has a value.',
    affects: { entra: 'Changed values are not provisioned, because it may send them as add.' },
  }),
  patching({
    id: 'patch-add.no-path',
    notFor: INTEROP_CLIENTS,
    row: PATCH_ROWS.members,
    op: 'add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'contains a set of attributes to be added',
    title: 'add without a path sets each attribute that the value has',
    advice: 'Without a path, read the value as a part of the resource and add each of its members.',
  }),
  patching({
    id: 'patch-add.sub-attribute',
    row: PATCH_ROWS.subAttribute,
    op: 'add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'single-valued attribute, the existing value is replaced',
    title: 'add to a sub-attribute keeps the other sub-attributes',
    advice: 'Change only the sub-attribute after the dot in the path.',
    affects: { entra: 'The family name is lost when the given name changes.' },
  }),
  patching({
    id: 'patch-add.complex',
    row: PATCH_ROWS.complex,
    op: 'add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'practice',
    title: 'add to a complex attribute keeps the sub-attributes that the value does not have',
    advice: 'Merge the sub-attributes of the value into the existing value.',
  }),
  patching({
    id: 'patch-add.multi-valued',
    row: PATCH_ROWS.addedValue,
    otherwise: [PATCH_ROWS.firstValue],
    op: 'add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'a new value is added to the attribute',
    title: 'add to a multi-valued attribute keeps the values that it has',
    advice: 'Append the new values to the list. Only replace removes the existing values.',
  }),
  patching({
    id: 'patch-add.no-path-multi-valued',
    notFor: INTEROP_CLIENTS,
    row: PATCH_ROWS.addedMember,
    otherwise: [PATCH_ROWS.firstMember],
    op: 'add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'an additional value is added to the multi-valued',
    title: 'add without a path keeps the values of the multi-valued attributes in the value',
    advice: 'Append the values of a list, also if the attribute is a member of the value.',
  }),
  patching({
    id: 'patch-add.duplicate',
    row: PATCH_ROWS.addedTwice,
    op: 'add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'SHOULD',
    quote: 'changes SHOULD be made to the resource, and',
    title: 'add of a value that exists does not store it a second time',
    advice: 'Ignore a value that the attribute already has, and answer with success.',
    affects: { entra: 'Values are duplicated when a provisioning cycle is repeated.' },
  }),
  {
    id: 'patch-add.no-change',
    section: 'RFC 7644 §3.5.2.1',
    level: 'MUST',
    quote: 'this operation SHALL NOT change the modify timestamp',
    title: 'add of a value that exists does not change meta.lastModified',
    needs: ['patch', 'check:create.user', 'check:patch-add.duplicate', 'User:list'],
    advice:
      'Compare the resource before and after the operations, and store it only if it changed.',
    run: async (server) => {
      const { list } = server.words()
      const work = elementOf(server, 0)
      const { path } = await server.create('User', { [list.path]: [work] })
      const before = await waitForLaterChange(await readResource(server, path))
      const operation = { op: 'add', path: list.path, value: [work] }
      const after = await modifyResource(server, path, operation)
      expectMember(after, 'meta.lastModified', before)
    },
  },
  patching({
    id: 'patch-add.value-path',
    row: PATCH_ROWS.partOfOne,
    otherwise: [PATCH_ROWS.part, PATCH_ROWS.partOfOnly],
    op: 'add',
    section: 'RFC 7644 §3.5.2',
    level: 'defined',
    quote: 'specific values of a complex multi-valued attribute to',
    title: 'add with a value path sets the sub-attribute of the values that it selects',
    advice: 'Apply the filter in brackets to the values, and change only those that match.',
    affects: { entra: 'It addresses each value of emails and phoneNumbers in this way.' },
  }),
  patching({
    id: 'patch-add.extension',
    row: PATCH_ROWS.extension,
    op: 'add',
    ...RULES.withUrn,
    title: 'add with the URN of an extension in the path sets the attribute of the extension',
    advice: 'Read the text before the last colon as a schema URN, which may contain dots.',
    affects: { entra: 'Department, employee number and manager are not provisioned.' },
  }),
  {
    id: 'patch-add.extension-schemas',
    section: 'RFC 7643 §3',
    level: 'MUST',
    quote: 'MUST include a non-empty array with value(s) of',
    title: 'schemas has the URN of an extension whose first attribute was added by PATCH',
    needs: ['check:patch-add.extension', 'check:representation.schemas-extension'],
    advice: 'Compute schemas from the extensions that the resource has.',
    run: async (server) => {
      const path = `${ENTERPRISE_USER_SCHEMA}:department`
      const user = await modifyUser(server, {}, { op: 'add', path, value: 'Research' })
      const schemas = stringsOf(user.schemas)
      expectThat(schemas.includes(ENTERPRISE_USER_SCHEMA), ENTERPRISE_USER_SCHEMA, schemas)
    },
  },
  patching({
    id: 'patch-add.primary',
    row: PATCH_ROWS.addedPrimary,
    op: 'add',
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    quote: 'SHALL cause the server to automatically set "primary"',
    title: 'add of a value that is primary makes the other values not primary',
    advice: 'Set primary to false in the other values when a new value is primary.',
  }),
  {
    id: 'patch-add.read-only',
    section: 'RFC 7643 §7',
    level: 'MUST',
    quote: 'readOnly The attribute SHALL NOT be modified.',
    title: 'add does not change a read-only attribute',
    needs: ['patch', 'check:create.user'],
    advice: 'Answer 400 mutability if an operation names a read-only attribute.',
    run: async (server) => {
      const value = server.unique()
      const user = await server.create('User')
      await expectUnmodified(server, user, 'id', { op: 'add', path: 'id', value })
    },
  },
  {
    id: 'patch-add.missing-value',
    ...RULES.statusCodes,
    title: 'add without a value is rejected',
    needs: ['patch', 'check:create.user', 'User:optional'],
    advice: 'Answer 400 invalidValue or invalidSyntax if an add operation does not have a value.',
    run: async (server) => {
      const { optional } = server.words()
      const { path } = await server.create('User', server.set({ [optional]: 'Engineer' }))
      expectStatus(await server.modify(path, { op: 'add', path: optional }), 400)
      expectMember(await readResource(server, path), optional, 'Engineer')
    },
  },
]
