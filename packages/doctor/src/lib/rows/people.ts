import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'

/** A person's name. */
export type PersonName = 'ada' | 'bob' | 'eve'

/**
 * Returns three users whose values differ as filters, sorting and projection need, for the rows of `FILTER_ROWS` and
 * `SORT_ROWS`. `tag` makes them unique: it must only contain letters, digits and hyphens.
 *
 *
 * | | ada | bob | eve |
 * | --- | --- | --- | --- |
 * | letter case | mixed | lower | upper |
 * | active | true | false | true |
 * | title | `Engineer` | absent | `engineer II` |
 * | emails | work (primary), home | work | home only |
 * | department | `Research` | `Sales` | absent |
 *
 * By familyName, the order is bob (`adams`), ada (`Müller`), eve (`ZIMMER`); code points order them differently. The
 * users do not have `schemas`. Send a server only values for attributes it defines.
 *
 * @example
 * ```ts
 * import { peopleOf } from '@plumbline/doctor/testing'
 *
 * peopleOf('run-1').bob.userName //=> 'run-1.bob@example.com'
 * ```
 * @see RFC 7643 §8.2
 */
export function peopleOf(
  tag: string,
): Readonly<Record<PersonName, Readonly<Record<string, unknown>>>> {
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
