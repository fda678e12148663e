import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import type { JsonObject } from '../json.ts'

/** The names of the shared users. */
export type PersonName = 'ada' | 'bob' | 'eve'

/**
 * The values of the shared users, as far as the server declares their attributes. `tag` makes them unique. They
 * differ in what filters, sorting and projection need:
 *
 * | | ada | bob | eve |
 * | --- | --- | --- | --- |
 * | letter case | mixed | lower | upper |
 * | active | true | false | true |
 * | title | `Engineer` | absent | `engineer II` |
 * | emails | work (primary), home | work | home only |
 * | department | `Research` | `Sales` | absent |
 *
 * By familyName, the order is bob (`adams`), ada (`Müller`), eve (`ZIMMER`); by code point, it is another.
 */
export function peopleOf(tag: string): Readonly<Record<PersonName, JsonObject>> {
  return {
    ada: {
      userName: `${tag}.Ada@example.com`,
      externalId: `${tag}-Ada`,
      name: { givenName: 'Ada', familyName: 'Müller', formatted: 'Ada Müller' },
      displayName: 'Ada Müller',
      nickName: 'Countess',
      title: 'Engineer',
      userType: 'Employee',
      preferredLanguage: 'en-US',
      locale: 'en-US',
      timezone: 'Europe/Berlin',
      profileUrl: 'https://example.com/people/ada',
      active: true,
      emails: [
        { value: `${tag}.Ada@example.com`, type: 'work', primary: true },
        { value: `${tag}.ada@home.example`, type: 'home' },
      ],
      phoneNumbers: [{ value: '+1-201-555-0123', type: 'work' }],
      [ENTERPRISE_USER_SCHEMA]: { employeeNumber: `${tag}-7`, department: 'Research' },
    },
    bob: {
      userName: `${tag}.bob@example.com`,
      externalId: `${tag}-bob`,
      name: { givenName: 'bob', familyName: 'adams', formatted: 'bob adams' },
      displayName: 'bob adams',
      userType: 'Contractor',
      active: false,
      emails: [{ value: `${tag}.bob@example.com`, type: 'work', primary: true }],
      [ENTERPRISE_USER_SCHEMA]: { employeeNumber: `${tag}-8`, department: 'Sales' },
    },
    eve: {
      userName: `${tag}.EVE@example.com`,
      externalId: `${tag}-EVE`,
      name: { givenName: 'EVE', familyName: 'ZIMMER', formatted: 'EVE "Z" ZIMMER' },
      displayName: 'EVE "Z" ZIMMER',
      title: 'engineer II',
      active: true,
      emails: [{ value: `${tag}.eve@home.example`, type: 'home' }],
      phoneNumbers: [{ value: '+1-201-555-0199', type: 'mobile' }],
    },
  }
}
