const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** The title of a row, the members next to `userName` in the body, and those in the model. */
export const read: readonly (readonly [string, object, object])[] = [
  ['RFC 7643 §2.5: null is unassigned', { title: null, name: null, emails: null }, {}],
  ['RFC 7643 §2.5: an empty list is unassigned', { emails: [], roles: [], groups: [] }, {}],
  ['a list of nulls is empty', { emails: [null, null] }, {}],
  ['an object of nulls is empty', { name: { givenName: null } }, {}],
  [
    'a value of nulls is dropped from the list',
    { emails: [{ value: null }, { value: 'b' }] },
    emails('b'),
  ],
  ['an empty value in a list is a value', { roles: [{ value: '' }] }, { roles: [{ value: '' }] }],
  ['RFC 7643 §2.1: names in capitals', { TITLE: 'Guide' }, { title: 'Guide' }],
  [
    'RFC 7643 §2.1: sub-attributes in capitals',
    { Name: { GIVENNAME: 'B' } },
    { name: { givenName: 'B' } },
  ],
  [
    'a reference is read as ref',
    { groups: [{ value: 'g', $ref: '../Groups/g' }] },
    { groups: [{ value: 'g', ref: '../Groups/g' }] },
  ],
  ['$ref in capitals is read as ref', { groups: [{ $REF: 'g' }] }, { groups: [{ ref: 'g' }] }],
  [
    'ref is not a name of the wire',
    { groups: [{ value: 'g', ref: 'x' }] },
    { groups: [{ value: 'g' }] },
  ],
  [
    'a null reference is unassigned',
    { groups: [{ value: 'g', $ref: null }] },
    { groups: [{ value: 'g' }] },
  ],
  ['Entra ID: a boolean as a string', { active: 'True' }, { active: true }],
  ['Entra ID: a boolean as a string in capitals', { active: 'FALSE' }, { active: false }],
  [
    'Entra ID: a primary role as a string',
    { roles: [{ value: 'admin', primary: 'True' }] },
    { roles: [{ value: 'admin', primary: true }] },
  ],
  ['OneLogin: an object in place of a list', { emails: { value: 'b' } }, emails('b')],
  ['JumpCloud: null and empty lists together', { emails: null, addresses: [] }, {}],
  ['JumpCloud: an extension listed and absent', { schemas: [ENTERPRISE, USER] }, {}],
  [
    'Okta: a password and empty groups',
    { password: 't1meMa$heen', groups: [] },
    { password: 't1meMa$heen' },
  ],
  [
    'Okta: id and meta echoed',
    { id: '1', meta: { resourceType: 'User', location: '/Users/1', version: 'W/"1"' } },
    { id: '1', meta: { resourceType: 'User', location: '/Users/1', version: 'W/"1"' } },
  ],
  [
    'Entra ID: meta with a type only',
    { meta: { resourceType: 'User' } },
    { meta: { resourceType: 'User' } },
  ],
  [
    'RFC 7643 §2.3.5: a dateTime becomes a date',
    { meta: { created: '2010-01-23T04:56:22Z' } },
    { meta: { created: new Date('2010-01-23T04:56:22Z') } },
  ],
  [
    'RFC 7643 §2.3.5: an offset is part of the instant',
    { meta: { created: '2010-01-23T06:56:22.5+02:00' } },
    { meta: { created: new Date('2010-01-23T04:56:22.500Z') } },
  ],
  ['members without a definition are ignored', { shoeSize: 9, manager: { value: 'm' } }, {}],
  [
    'members without a definition are ignored inside a complex value',
    { name: { givenName: 'B', pronoun: 'she' } },
    { name: { givenName: 'B' } },
  ],
  ['an empty string is a value', { nickName: '' }, { nickName: '' }],
  ['schemas that are null are absent', { schemas: null }, {}],
  ['schemas in another letter case', { Schemas: [USER.toUpperCase()] }, {}],
  [
    'Entra ID: schemas that list more',
    { schemas: [USER, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/User'] },
    {},
  ],
  [
    'one primary value',
    {
      emails: [
        { value: 'b', primary: true },
        { value: 'c', primary: false },
      ],
    },
    {
      emails: [
        { value: 'b', primary: true },
        { value: 'c', primary: false },
      ],
    },
  ],
]

/** Malformed read-only members, sent with `userName`, and the members of the model next to it. */
export const readOnly: readonly (readonly [string, object, object])[] = [
  ['an id that is a number', { id: 5 }, {}],
  ['an id that is an object', { id: { value: '1' } }, {}],
  ['meta that is a string', { meta: 'x' }, {}],
  ['meta that is a list', { meta: [{ created: '2026-01-31T12:00:00Z' }] }, {}],
  ['a date that is not a dateTime', { meta: { created: 'yesterday' } }, {}],
  ['a date that does not exist', { meta: { created: '2026-02-30T00:00:00Z' } }, {}],
  ['a day without a time', { meta: { created: '2026-02-03' } }, {}],
  ['a number for a date', { meta: { lastModified: 0 } }, {}],
  [
    'one part of meta, while the others are kept',
    { meta: { created: 'yesterday', version: 'W/"1"' } },
    { meta: { version: 'W/"1"' } },
  ],
  ['groups that are a string', { groups: 'x' }, {}],
  ['groups that are a list of strings', { groups: ['x'] }, {}],
  [
    'one part of a group, while the others are kept',
    { groups: [{ value: 5, display: 'G' }] },
    { groups: [{ display: 'G' }] },
  ],
  ['an id in two spellings: the first is kept', { id: '1', ID: '2' }, { id: '1' }],
  [
    "the manager's displayName",
    { [ENTERPRISE]: { manager: { value: 'm', displayName: 5 } } },
    { extensions: { enterprise: { manager: { value: 'm' } } } },
  ],
]

/** Lists with repeated values, and the values that are kept. */
export const repeated: readonly (readonly [string, object, object])[] = [
  [
    'the same type and value',
    { emails: [{ value: 'b', type: 'work' }, { value: 'c' }, { value: 'b', type: 'work' }] },
    { emails: [{ value: 'b', type: 'work' }, { value: 'c' }] },
  ],
  [
    'values without a type',
    { roles: [{ value: 'r' }, { value: 'r', display: 'R' }] },
    { roles: [{ value: 'r' }] },
  ],
  [
    'letter case that is not significant',
    {
      emails: [
        { value: 'b', type: 'work' },
        { value: 'B', type: 'WORK' },
      ],
    },
    { emails: [{ value: 'b', type: 'work' }] },
  ],
  [
    'a primary value that comes later',
    { emails: [{ value: 'b' }, { value: 'c' }, { value: 'b', primary: true }] },
    { emails: [{ value: 'b', primary: true }, { value: 'c' }] },
  ],
  [
    'a primary value that is repeated is one primary value',
    {
      emails: [
        { value: 'b', primary: true },
        { value: 'b', primary: true },
      ],
    },
    { emails: [{ value: 'b', primary: true }] },
  ],
  [
    'another type is another value',
    { emails: [{ value: 'b', type: 'work' }, { value: 'b', type: 'home' }, { value: 'b' }] },
    { emails: [{ value: 'b', type: 'work' }, { value: 'b', type: 'home' }, { value: 'b' }] },
  ],
  [
    'RFC 7643 §2.3.6: letter case counts in binary',
    { x509Certificates: [{ value: 'QQ' }, { value: 'qq' }, { value: 'QQ' }] },
    { x509Certificates: [{ value: 'QQ' }, { value: 'qq' }] },
  ],
  [
    'values without a `value` are kept',
    { addresses: [{ locality: 'X' }, { locality: 'X' }] },
    { addresses: [{ locality: 'X' }, { locality: 'X' }] },
  ],
]

/** The title of a row, the members sent next to `userName` or the body itself, and the start of the message. */
export const rejected: readonly (readonly [string, unknown, string])[] = [
  ['§4.1.1: no userName', {}, 'userName is required'],
  ['§4.1.1: a null userName', { userName: null }, 'userName is required'],
  ['§4.1.1: an empty userName', { userName: '' }, 'userName is required'],
  ['a number for a string', { userName: 5 }, 'userName must be a string'],
  ['an attribute, named as the schema spells it', { USERNAME: 5 }, 'userName must be a string'],
  ['an object for a string', { title: {} }, 'title must be a string'],
  ['a list for a string', { title: ['Guide'] }, 'title must be a string'],
  ['a number for a reference', { profileUrl: 5 }, 'profileUrl must be a string'],
  ['a string for a boolean', { active: 'yes' }, 'active must be true or false'],
  ['a number for a boolean', { active: 1 }, 'active must be true or false'],
  ['a string for an object', { name: 'Barbara' }, 'name must be an object'],
  ['a list for an object', { name: [] }, 'name must be an object'],
  ['a part of an object', { name: { givenName: 5 } }, 'name.givenName must be a string'],
  ['a string for a complex value', { emails: ['b@x.org'] }, 'emails[0] must be an object'],
  ['a list inside a list', { emails: [[]] }, 'emails[0] must be an object'],
  [
    'a part of the second value',
    { emails: [{ value: 'b' }, { value: 5 }] },
    'emails[1].value must be a string',
  ],
  [
    'a value, counted with the nulls',
    { emails: [null, { primary: 5 }] },
    'emails[1].primary must be true or false',
  ],
  [
    'a number for binary',
    { x509Certificates: [{ value: 5 }] },
    'x509Certificates[0].value must be a string',
  ],
  [
    '§2.4: two primary values',
    {
      emails: [
        { value: 'b', primary: true },
        { value: 'c', primary: 'True' },
      ],
    },
    'emails has more than one primary value',
  ],
  ['a name twice', { title: 'a', Title: 'b' }, 'title is duplicated'],
  ['a part twice', { name: { givenName: 'a', GivenName: 'b' } }, 'name.givenName is duplicated'],
  ['§3: schemas without the core schema', { schemas: [ENTERPRISE] }, `schemas must list ${USER}`],
  [
    '§3: schemas of another resource',
    { schemas: [USER.replace('User', 'Group')] },
    `schemas must list ${USER}`,
  ],
  ['§3: empty schemas', { schemas: [] }, `schemas must list ${USER}`],
  ['§3: schemas that are a string', { schemas: USER }, 'schemas must be a list of URNs'],
  ['§3: schemas of numbers', { schemas: [5] }, 'schemas must be a list of URNs'],
  [
    '§4.3: an extension that is a string',
    { [ENTERPRISE]: 'Sales' },
    `${ENTERPRISE} must be an object`,
  ],
  ['§4.3: an extension that is a list', { [ENTERPRISE]: [] }, `${ENTERPRISE} must be an object`],
  [
    '§4.3: a member of an extension',
    { [ENTERPRISE]: { department: 5 } },
    `${ENTERPRISE}:department must be a string`,
  ],
  [
    '§4.3: a manager that is a number',
    { [ENTERPRISE]: { manager: 5 } },
    `${ENTERPRISE}:manager must be an object`,
  ],
  [
    '§4.3: a part of a member of an extension',
    { [ENTERPRISE]: { manager: { value: 5 } } },
    `${ENTERPRISE}:manager.value must be a string`,
  ],
]

function emails(value: string): object {
  return { emails: [{ value }] }
}
