import { both, changed, home, only, other, type PatchRow, patchRow, work } from './patch-row.ts'

/** The name of a row about attributes with several values. */
export type ListPatchRowName =
  | 'addedValue'
  | 'addedMember'
  | 'addedTwice'
  | 'addedPrimary'
  | 'replacedList'
  | 'replacedValue'
  | 'part'
  | 'partOfOne'
  | 'primaryPart'
  | 'createdValue'
  | 'literalWithDot'
  | 'literalWithColon'
  | 'literalWithSpace'
  | 'valueWithSpaces'
  | 'firstValue'
  | 'firstMember'
  | 'replacedOnlyList'
  | 'replacedOnlyValue'
  | 'partOfOnly'
  | 'createdElement'
  | 'selectedByValue'

const TYPED = ['emails.value', 'emails.type']
const DISPLAYED = [...TYPED, 'emails.display']

/** Changes to attributes with several values. */
export const LIST_PATCH_ROWS: Readonly<Record<ListPatchRowName, PatchRow>> = {
  addedValue: patchRow({
    ops: ['add'],
    section: 'RFC 7644 §3.5.2.1',
    needs: TYPED,
    before: (tag) => ({ emails: [work(tag)] }),
    path: 'emails',
    value: (tag: string) => [home(tag)],
    after: both,
  }),
  addedMember: patchRow({
    ops: ['add'],
    section: 'RFC 7644 §3.5.2.1',
    needs: TYPED,
    before: (tag) => ({ emails: [work(tag)] }),
    value: (tag: string) => ({ emails: [home(tag)] }),
    after: both,
  }),
  addedTwice: patchRow({
    ops: ['add'],
    section: 'RFC 7644 §3.5.2.1',
    needs: TYPED,
    before: (tag) => ({ emails: [work(tag)] }),
    path: 'emails',
    value: (tag: string) => [work(tag)],
    after: (tag) => ({ emails: [work(tag)] }),
  }),
  addedPrimary: patchRow({
    ops: ['add'],
    section: 'RFC 7644 §3.5.2',
    needs: [...TYPED, 'emails.primary'],
    before: (tag) => ({ emails: [{ ...work(tag), primary: true }] }),
    path: 'emails',
    value: (tag: string) => [{ ...home(tag), primary: true }],
    after: (tag) => ({
      emails: [
        { ...work(tag), primary: undefined },
        { ...home(tag), primary: true },
      ],
    }),
  }),
  replacedList: patchRow({
    ops: ['replace'],
    section: 'RFC 7644 §3.5.2.3',
    needs: TYPED,
    before: both,
    path: 'emails',
    value: (tag: string) => [{ type: 'other', value: other(tag) }],
    after: (tag) => ({ emails: [{ type: 'other', value: other(tag) }] }),
  }),
  replacedValue: patchRow({
    ops: ['replace'],
    section: 'RFC 7644 §3.5.2.3',
    needs: TYPED,
    before: both,
    path: 'emails[type eq "home"]',
    value: (tag: string) => ({ type: 'home', value: other(tag) }),
    after: (tag) => ({ emails: [work(tag), { type: 'home', value: other(tag) }] }),
  }),
  part: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: TYPED,
    before: both,
    path: 'emails[type eq "work"].value',
    value: other,
    after: (tag) => ({ emails: [{ type: 'work', value: other(tag) }, home(tag)] }),
  }),
  partOfOne: patchRow({
    section: 'RFC 7644 §3.5.2',
    needs: DISPLAYED,
    before: both,
    path: 'emails[type eq "home"].display',
    value: 'At home',
    after: (tag) => ({
      emails: [
        { type: 'work', display: undefined },
        { ...home(tag), display: 'At home' },
      ],
    }),
  }),
  primaryPart: patchRow({
    section: 'RFC 7644 §3.5.2',
    needs: [...TYPED, 'emails.primary'],
    before: (tag) => ({ emails: [{ ...work(tag), primary: true }, home(tag)] }),
    path: 'emails[type eq "home"].primary',
    value: true,
    after: (tag) => ({
      emails: [
        { ...work(tag), primary: undefined },
        { ...home(tag), primary: true },
      ],
    }),
  }),
  createdValue: patchRow({
    ops: ['add'],
    section: 'Entra ID',
    needs: ['phoneNumbers.value', 'phoneNumbers.type'],
    before: () => ({ phoneNumbers: undefined }),
    path: 'phoneNumbers[type eq "work"].value',
    value: '+1-201-555-0123',
    after: () => ({ phoneNumbers: [{ type: 'work', value: '+1-201-555-0123' }] }),
  }),
  literalWithDot: patchRow({
    section: 'RFC 7644 §3.5.2',
    needs: DISPLAYED,
    before: both,
    path: (tag) => `emails[value eq "${home(tag).value}"].display`,
    value: 'At home',
    after: (tag) => ({ emails: [work(tag), { ...home(tag), display: 'At home' }] }),
  }),
  literalWithColon: patchRow({
    section: 'RFC 7644 §3.5.2',
    needs: DISPLAYED,
    before: (tag) => ({ emails: [work(tag), { ...home(tag), display: 'Room: 7' }] }),
    path: 'emails[display eq "Room: 7"].value',
    value: other,
    after: (tag) => ({ emails: [work(tag), { type: 'home', value: other(tag) }] }),
  }),
  literalWithSpace: patchRow({
    section: 'RFC 7644 §3.5.2',
    needs: DISPLAYED,
    before: (tag) => ({ emails: [work(tag), { ...home(tag), display: 'At home' }] }),
    path: 'emails[display eq "At home"].value',
    value: other,
    after: (tag) => ({ emails: [work(tag), { type: 'home', value: other(tag) }] }),
  }),
  valueWithSpaces: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: ['addresses.type', 'addresses.streetAddress', 'addresses.locality'],
    before: () => ({ addresses: [{ type: 'work', streetAddress: '7', locality: 'Exeter' }] }),
    path: 'addresses[type eq "work"].streetAddress',
    value: '7 Sample Street',
    after: () => ({
      addresses: [{ type: 'work', streetAddress: '7 Sample Street', locality: 'Exeter' }],
    }),
  }),
  // A server with one place for an address has these rows.
  firstValue: patchRow({
    ops: ['add'],
    section: 'RFC 7644 §3.5.2.1',
    needs: TYPED,
    before: () => ({ emails: undefined }),
    path: 'emails',
    value: (tag: string) => [work(tag)],
    after: only,
  }),
  firstMember: patchRow({
    ops: ['add'],
    section: 'RFC 7644 §3.5.2.1',
    needs: TYPED,
    before: () => ({ emails: undefined }),
    value: (tag: string) => ({ emails: [work(tag)] }),
    after: only,
  }),
  replacedOnlyList: patchRow({
    ops: ['replace'],
    section: 'RFC 7644 §3.5.2.3',
    needs: TYPED,
    before: only,
    path: 'emails',
    value: (tag: string) => [{ type: 'work', value: other(tag) }],
    after: changed,
  }),
  replacedOnlyValue: patchRow({
    ops: ['replace'],
    section: 'RFC 7644 §3.5.2.3',
    needs: TYPED,
    before: only,
    path: 'emails[type eq "work"]',
    value: (tag: string) => ({ type: 'work', value: other(tag) }),
    after: changed,
  }),
  partOfOnly: patchRow({
    section: 'RFC 7644 §3.5.2.3',
    needs: TYPED,
    before: only,
    path: 'emails[type eq "work"].value',
    value: other,
    after: changed,
  }),
  createdElement: patchRow({
    ops: ['add'],
    section: 'Entra ID',
    needs: TYPED,
    before: () => ({ emails: undefined }),
    path: 'emails[type eq "work"].value',
    value: (tag: string) => work(tag).value,
    after: only,
  }),
  selectedByValue: patchRow({
    section: 'RFC 7644 §3.5.2',
    needs: TYPED,
    before: only,
    path: (tag) => `emails[value eq "${work(tag).value}"].value`,
    value: other,
    after: changed,
  }),
}
