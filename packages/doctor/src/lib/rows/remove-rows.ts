import { both, home, only, type PatchRow, patchRow, work } from './patch-row.ts'

/** The name of a row about a removal. */
export type RemoveRowName =
  | 'removed'
  | 'removedSubAttribute'
  | 'removedComplex'
  | 'removedList'
  | 'removedValue'
  | 'removedLastValue'
  | 'removedPart'
  | 'removedOnlyList'

const SECTION = 'RFC 7644 §3.5.2.2'
const ADA = { name: { givenName: 'Ada', familyName: 'Sample' } }
const NAMES = ['name.givenName', 'name.familyName']
const TYPED = ['emails.value', 'emails.type']

/** Removals (RFC 7644 §3.5.2.2). */
export const REMOVE_ROWS: Readonly<Record<RemoveRowName, PatchRow>> = {
  removed: patchRow({
    section: SECTION,
    needs: ['title'],
    before: () => ({ title: 'Engineer' }),
    path: 'title',
    after: () => ({ title: undefined }),
  }),
  removedSubAttribute: patchRow({
    section: SECTION,
    needs: NAMES,
    before: () => ADA,
    path: 'name.givenName',
    after: () => ({ name: { givenName: undefined, familyName: 'Sample' } }),
  }),
  removedComplex: patchRow({
    section: SECTION,
    needs: NAMES,
    before: () => ADA,
    path: 'name',
    after: () => ({ name: { givenName: undefined, familyName: undefined } }),
  }),
  removedList: patchRow({
    section: SECTION,
    needs: TYPED,
    before: both,
    path: 'emails',
    after: () => ({ emails: [] }),
  }),
  removedValue: patchRow({
    section: SECTION,
    needs: TYPED,
    before: both,
    path: 'emails[type eq "home"]',
    after: (tag) => ({ emails: [work(tag)] }),
  }),
  removedLastValue: patchRow({
    section: SECTION,
    needs: TYPED,
    before: only,
    path: 'emails[type eq "work"]',
    after: () => ({ emails: [] }),
  }),
  removedPart: patchRow({
    section: SECTION,
    needs: [...TYPED, 'emails.display'],
    before: (tag) => ({
      emails: [
        { ...work(tag), display: 'An address' },
        { ...home(tag), display: 'An address' },
      ],
    }),
    path: 'emails[type eq "home"].display',
    after: (tag) => ({
      emails: [
        { ...work(tag), display: 'An address' },
        { ...home(tag), display: undefined },
      ],
    }),
  }),
  removedOnlyList: patchRow({
    section: SECTION,
    needs: TYPED,
    before: only,
    path: 'emails',
    after: () => ({ emails: [] }),
  }),
}
