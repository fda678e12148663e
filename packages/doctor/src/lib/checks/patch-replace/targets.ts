import type { Check } from '../../check.ts'
import { memberAt, objectsOf } from '../../json.ts'
import { createBefore, expectValues, patching, rowFor } from '../../patching.ts'
import { INTEROP_CLIENTS } from '../../profiles.ts'
import { PATCH_ROWS } from '../../rows/patch-rows.ts'
import { RULES } from '../../rules.ts'
import { expectEqual, expectError, expectStatus, expectThat } from '../../toolkit/expect.ts'
import { skip } from '../../toolkit/finding.ts'
import { absentElement, elementOf, modifyResource, readResource } from '../../toolkit/patch.ts'
import { spareText } from '../../toolkit/spare.ts'

const PARTS = {
  section: 'RFC 7644 §3.5.2.3',
  level: 'defined',
  quote: 'sub-attribute of all matching records is replaced',
} as const

/** The standard leaves to the server what active means. */
const DEACTIVATION = { section: 'RFC 7643 §4.1.1', level: 'practice' } as const

/** Rules for replace operations and their targets. */
export const PATCH_REPLACE_TARGET_CHECKS: readonly Check[] = [
  patching({
    id: 'patch-replace.attribute',
    row: PATCH_ROWS.existing,
    ...RULES.patchReplaces,
    title: 'replace with the path of an attribute changes its value',
    advice: 'Apply the operation to the attribute that the path names, and store the result.',
    affects: { entra: 'Updates of users fail.', okta: 'Updates of users fail.' },
  }),
  patching({
    id: 'patch-replace.absent',
    row: PATCH_ROWS.absent,
    section: 'RFC 7644 §3.5.2.3',
    level: 'MUST',
    quote: 'the service provider SHALL treat the operation as',
    title: 'replace of an attribute without a value adds it',
    advice: 'Treat replace like add if the attribute does not have a value.',
    affects: { entra: 'Attributes that were empty before are never provisioned.' },
  }),
  patching({
    id: 'patch-replace.no-path',
    notFor: INTEROP_CLIENTS,
    row: PATCH_ROWS.oneMember,
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'the target is assumed to be the resource',
    title: 'replace without a path changes the attributes in the value and keeps the others',
    advice: 'Without a path, replace each attribute that is a member of the value, and no other.',
    affects: { okta: 'It activates and deactivates users in this way.' },
  }),
  patching({
    id: 'patch-replace.sub-attribute',
    row: PATCH_ROWS.subAttribute,
    ...RULES.patchReplaces,
    title: 'replace of a sub-attribute keeps the other sub-attributes',
    advice: 'Change only the sub-attribute after the dot in the path.',
    affects: { entra: 'The family name is lost when the given name changes.' },
  }),
  patching({
    id: 'patch-replace.complex',
    notFor: INTEROP_CLIENTS,
    row: PATCH_ROWS.complex,
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: '"value" parameter are left unchanged',
    title: 'replace of a complex attribute keeps the sub-attributes that the value does not have',
    advice: 'Merge the sub-attributes of the value into the existing value; PUT replaces all.',
  }),
  patching({
    id: 'patch-replace.multi-valued',
    row: PATCH_ROWS.replacedList,
    otherwise: [PATCH_ROWS.replacedOnlyList],
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'the attribute and all values are replaced',
    title: 'replace of a multi-valued attribute replaces all its values',
    advice: 'Without a filter in the path, replace the whole list by the new one.',
  }),
  patching({
    id: 'patch-replace.value-path',
    row: PATCH_ROWS.replacedValue,
    otherwise: [PATCH_ROWS.replacedOnlyValue],
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'then all matching record values SHALL be replaced',
    title: 'replace with a value path replaces the selected value and keeps the others',
    advice: 'Apply the filter in brackets to the values, and change only those that match.',
  }),
  patching({
    id: 'patch-replace.value-path-sub-attribute',
    row: PATCH_ROWS.part,
    otherwise: [PATCH_ROWS.partOfOnly],
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'sub-attribute of all matching records is replaced',
    title: 'replace with a value path and a sub-attribute changes only this sub-attribute',
    advice: 'Change the sub-attribute in the values that match, and keep their other parts.',
    affects: { entra: 'Changed addresses and phone numbers are not provisioned.' },
  }),
  {
    id: 'patch-replace.no-target',
    section: 'RFC 7644 §3.5.2.3',
    level: 'MUST',
    quote: 'the service provider SHALL indicate failure by returning',
    title: 'replace with a value path that selects no value is rejected with noTarget',
    needs: ['patch', 'check:patch-replace.value-path-sub-attribute', 'User:list'],
    notFor: ['entra'],
    advice:
      'Answer 400 noTarget. Create the value only for clients that need it, as Entra ID does.',
    run: async (server) => {
      const { list } = server.words()
      const value = `${server.unique()}@other.example`
      const { path, sent } = await server.create('User', { [list.path]: [elementOf(server, 0)] })
      const operation = { op: 'replace', path: `${absentElement(server)}.value`, value }
      expectError(await server.modify(path, operation), 400, 'noTarget')
      const { [list.path]: after } = await readResource(server, path)
      const [wanted, found] = [sent[list.path], after].map((values) => objectsOf(values).length)
      expectEqual(found, wanted, `the number of ${list.path}`)
    },
  },
  patching({
    id: 'patch-replace.extension',
    row: PATCH_ROWS.extension,
    ...RULES.withUrn,
    title:
      'replace with the URN of an extension in the path changes the attribute of the extension',
    advice: 'Read the text before the last colon as a schema URN, which may contain dots.',
    affects: { entra: 'Changed departments and employee numbers are not provisioned.' },
  }),
  patching({
    id: 'patch-replace.no-path-extension',
    notFor: INTEROP_CLIENTS,
    row: PATCH_ROWS.extensionMember,
    section: 'RFC 7643 §3.3',
    level: 'MUST',
    quote: 'SHALL be used as a JSON container to',
    title: 'replace without a path changes the attributes of an extension that its value has',
    advice: 'Read a member whose name is a schema URN as the attributes of that extension.',
  }),
  patching({
    id: 'patch-replace.primary',
    row: PATCH_ROWS.primaryPart,
    isOptional: true,
    // A server may reject paths with a filter, which is a separate finding.
    needs: ['check:patch-replace.value-path-sub-attribute'],
    section: 'RFC 7644 §3.5.2',
    level: 'MUST',
    quote: 'SHALL cause the server to automatically set "primary"',
    title: 'A value that becomes primary makes the other values not primary',
    advice: 'Set primary to false in the other values when a value becomes primary.',
  }),
  patching({
    id: 'patch-replace.literal-dot',
    row: PATCH_ROWS.literalWithDot,
    otherwise: [PATCH_ROWS.selectedByValue],
    ...PARTS,
    title: 'A value path may compare with a text that contains dots and an at sign',
    advice: 'Divide the path by its grammar: a dot inside quotes is part of the text.',
    affects: { entra: 'Addresses that are selected by their value are not updated.' },
  }),
  patching({
    id: 'patch-replace.literal-colon',
    row: PATCH_ROWS.literalWithColon,
    ...PARTS,
    title: 'A value path may compare with a text that contains a colon',
    advice: 'Search the URN of a schema before the first bracket only.',
  }),
  patching({
    id: 'patch-replace.literal-space',
    row: PATCH_ROWS.literalWithSpace,
    ...PARTS,
    title: 'A value path may compare with a text that contains a space',
    advice: 'Read the text up to the closing quote, and do not divide the filter at spaces.',
  }),
  patching({
    id: 'patch-replace.value-spaces',
    row: PATCH_ROWS.valueWithSpaces,
    otherwise: [PATCH_ROWS.severalWords],
    ...PARTS,
    title: 'replace of a selected sub-attribute stores the whole text of several words',
    advice: 'Store the value as it was sent. Do not divide it at spaces.',
    affects: { entra: 'Street addresses are cut after the first word.' },
  }),
  patching({
    id: 'patch-replace.active',
    row: PATCH_ROWS.active,
    ...DEACTIVATION,
    title: 'replace with the path active deactivates a user',
    advice: 'Store active, and answer with success only if it was stored.',
    affects: { entra: 'Users who leave keep their access.' },
  }),
  patching({
    id: 'patch-replace.active-no-path',
    notFor: INTEROP_CLIENTS,
    row: PATCH_ROWS.active,
    inValue: true,
    ...DEACTIVATION,
    title: 'replace without a path deactivates a user if its value has active false',
    advice: 'Without a path, read the value as a part of the resource.',
    affects: {
      entra: 'Users who leave keep their access.',
      okta: 'Users who leave keep their access.',
    },
  }),
  {
    id: 'patch-replace.again',
    section: 'RFC 7644 §3.5.2',
    level: 'practice',
    title: 'A user that was changed by PATCH can be changed by PATCH and by PUT again',
    needs: ['patch', 'check:patch-replace.sub-attribute'],
    advice:
      'Do not store null for parts without a value. The next write must accept what is stored.',
    affects: { entra: 'Every change after the first one fails.' },
    run: async (server) => {
      const { complex } = server.words()
      const [first, second] = complex.parts
      const row = rowFor(server, PATCH_ROWS.subAttribute)
      const { path } = await createBefore(server, row, server.unique())
      const change = (value: string) => ({ op: 'replace', path: `${complex.path}.${first}`, value })
      await modifyResource(server, path, change('Grace'))
      const user = await modifyResource(server, path, change('Jean'))
      expectValues(user, { [complex.path]: { [first]: 'Jean', [second]: 'Sample' } })
      expectStatus(await server.put(path, user), 200)
      expectValues(await readResource(server, path), { [complex.path]: { [first]: 'Jean' } })
    },
  },
  {
    id: 'patch-replace.each-type',
    ...RULES.patchReplaces,
    title: 'replace changes an attribute of each resource type',
    needs: ['patch', 'check:patch-replace.attribute'],
    advice: 'Serve PATCH for every resource type, also for those of your own.',
    run: async (server) => {
      let changed = 0
      for (const type of server.types) {
        const path = spareText(type)
        if (path === undefined) continue
        const resource = await server.create(type.name)
        const value = server.unique()
        const after = await modifyResource(server, resource.path, { op: 'replace', path, value })
        const found = memberAt(after, path)
        expectThat(found === value, `${path} of ${type.name} to be ${value}`, found)
        changed += 1
      }
      if (changed === 0) skip('No resource type has a text that a client may change.')
    },
  },
]
