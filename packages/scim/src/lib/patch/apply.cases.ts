/** One row: its title, the operations, and the members that change, or the scimType of the error. */
export type Row = readonly [
  what: string,
  operations: readonly object[],
  expected: Readonly<Record<string, unknown>> | string,
]

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

export const user = {
  schemas: [USER, ENTERPRISE],
  id: '2819c223',
  externalId: 'bjensen',
  userName: 'bjensen@example.com',
  name: { givenName: 'Barbara', familyName: 'Jensen' },
  active: true,
  emails: [
    { value: 'b@work.com', type: 'work', primary: true },
    { value: 'b@home.org', type: 'home' },
  ],
  addresses: [{ type: 'work', locality: 'Oslo', country: 'NO' }],
  groups: [{ value: 'g1', display: 'Guides' }],
  meta: { resourceType: 'User', created: '2026-01-01T00:00:00Z', version: 'W/"1"' },
  [ENTERPRISE]: { department: 'Sales', manager: { value: 'm1' } },
}

const bare = { schemas: [USER] }
const [work, home] = user.emails

/** RFC 7644 §3.5.2, sentence by sentence, over the user. */
export const standard: readonly Row[] = [
  // §3.5.2.1 Add
  [
    '§3.5.2.1: an absent attribute is added',
    [{ op: 'add', path: 'title', value: 'Guide' }],
    { title: 'Guide' },
  ],
  [
    '§3.5.2.1: without a path the members of the value are added',
    [{ op: 'add', value: { title: 'Guide', nickName: 'Babs' } }],
    { title: 'Guide', nickName: 'Babs' },
  ],
  [
    '§3.5.2.1: the named sub-attributes are added to a complex attribute',
    [{ op: 'add', path: 'name', value: { middleName: 'Jane' } }],
    { name: { givenName: 'Barbara', familyName: 'Jensen', middleName: 'Jane' } },
  ],
  [
    '§3.5.2.1: a value that was removed before is added again, at the end',
    [
      { op: 'remove', path: 'emails[value eq "b@work.com"]' },
      { op: 'add', path: 'emails', value: [{ value: 'B@work.com' }] },
    ],
    { emails: [home, { value: 'B@work.com' }] },
  ],
  [
    '§3.5.2.2: a read-only attribute cannot be removed, even if it is absent',
    [{ op: 'remove', path: 'meta.location' }],
    'mutability',
  ],
  [
    '§3.5.2.2: removing a sub-attribute of an absent attribute changes nothing',
    [{ op: 'remove', path: 'phoneNumbers.type' }],
    {},
  ],
  [
    '§3.5.2.2: removing a sub-attribute of a value that does not exist',
    [{ op: 'remove', path: 'phoneNumbers[type eq "work"].value' }],
    'noTarget',
  ],
  [
    'RFC 7643 §2.4: values with the same value and another type are changed one by one',
    [
      { op: 'add', path: 'emails', value: [{ value: home?.value, type: 'other' }] },
      {
        op: 'replace',
        path: 'emails[value eq "b@home.org" and type eq "home"].display',
        value: 'H',
      },
      {
        op: 'replace',
        path: 'emails[value eq "b@home.org" and type eq "home"].primary',
        value: true,
      },
    ],
    {
      emails: [
        { ...work, primary: false },
        { ...home, display: 'H', primary: true },
        { value: home?.value, type: 'other' },
      ],
    },
  ],
  [
    'RFC 7643 §2.4: a value without a type is the same as one with a type, and takes it over',
    [
      { op: 'add', path: 'phoneNumbers', value: [{ value: '1' }] },
      { op: 'add', path: 'phoneNumbers', value: [{ value: '1', type: 'work' }] },
    ],
    { phoneNumbers: [{ value: '1', type: 'work' }] },
  ],
  [
    '§3.5.2.1: a sub-attribute of an absent attribute is added with its value',
    [{ op: 'add', path: 'phoneNumbers.value', value: '1' }],
    { phoneNumbers: [{ value: '1' }] },
  ],
  ['§3.5.2.1: null adds nothing', [{ op: 'add', path: 'emails', value: null }], {}],
  [
    'RFC 7643 §2.5: null in a list is not a value',
    [
      { op: 'add', path: 'emails', value: [null, { value: 'n@x.org' }] },
      { op: 'replace', path: 'phoneNumbers', value: [{ value: '1' }, null] },
    ],
    { emails: [work, home, { value: 'n@x.org' }], phoneNumbers: [{ value: '1' }] },
  ],
  [
    'an object of a single member other than value is not a string',
    [{ op: 'replace', path: 'title', value: { other: 'Guide' } }],
    'invalidValue',
  ],
  [
    'an object of a value and another member is not a string',
    [{ op: 'replace', path: 'title', value: { value: 'Guide', other: 'x' } }],
    'invalidValue',
  ],
  [
    '§3.5.2.1: a value is added to a multi-valued attribute',
    [{ op: 'add', path: 'emails', value: [{ value: 'b@x.org', type: 'other' }] }],
    { emails: [work, home, { value: 'b@x.org', type: 'other' }] },
  ],
  [
    '§3.5.2.1: one value without a list is one value',
    [{ op: 'add', path: 'emails', value: { value: 'b@x.org' } }],
    { emails: [work, home, { value: 'b@x.org' }] },
  ],
  [
    '§3.5.2.1: a single value is replaced',
    [{ op: 'add', path: 'userName', value: 'b2' }],
    { userName: 'b2' },
  ],
  [
    '§3.5.2.1: adding an existing value changes nothing',
    [{ op: 'add', path: 'emails', value: [{ value: 'B@WORK.com', type: 'work' }] }],
    {},
  ],
  [
    '§3.5.2.1: the same single value changes nothing',
    [{ op: 'add', path: 'active', value: true }],
    {},
  ],
  [
    '§3.5.2.1: add creates the missing value that a filter describes',
    [{ op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '+1' }],
    { phoneNumbers: [{ type: 'work', value: '+1' }] },
  ],
  [
    '§3.5.2.1: add creates a value with every term of the filter',
    [{ op: 'add', path: 'phoneNumbers[type eq "work" and primary eq true].value', value: '+1' }],
    { phoneNumbers: [{ type: 'work', primary: true, value: '+1' }] },
  ],
  [
    '§3.5.2.1: add does not create a value for a filter that is not a conjunction of eq',
    [{ op: 'add', path: 'phoneNumbers[type ne "work"].value', value: '+1' }],
    'noTarget',
  ],
  [
    '§3.5.2.1: add does not create a value for a part of a string',
    [{ op: 'add', path: 'phoneNumbers[type co "work"].value', value: '+1' }],
    'noTarget',
  ],
  [
    '§3.5.2.1: add does not create a value if only one term of the filter is an eq',
    [{ op: 'add', path: 'phoneNumbers[type eq "work" and value pr].value', value: '+1' }],
    'noTarget',
  ],
  [
    '§3.5.2.1: a value without the sub-attribute value is the same if all its members are',
    [
      { op: 'add', path: 'phoneNumbers', value: [{ display: 'Desk' }] },
      { op: 'add', path: 'phoneNumbers', value: [{ display: 'Desk' }, { display: 'Car' }] },
    ],
    { phoneNumbers: [{ display: 'Desk' }, { display: 'Car' }] },
  ],
  [
    '§3.5.2.1: add does not create a value for a filter that nothing can match',
    [{ op: 'add', path: 'phoneNumbers[type eq "work" and type eq "home"].value', value: '+1' }],
    'noTarget',
  ],
  [
    '§3.5.2.1: a term may be repeated in different letter case',
    [{ op: 'add', path: 'phoneNumbers[type eq "work" and Type eq "WORK"].value', value: '+1' }],
    { phoneNumbers: [{ type: 'WORK', value: '+1' }] },
  ],
  [
    '§3.5.2.1: the created value must match the filter',
    [{ op: 'add', path: 'phoneNumbers[type eq "work"]', value: { type: 'home', value: '+1' } }],
    'noTarget',
  ],
  [
    '§3.5.2.1: the added part must match the filter',
    [{ op: 'add', path: 'phoneNumbers[type eq "work"].type', value: 'home' }],
    'noTarget',
  ],
  [
    '§3.5.2.1: adding an empty value creates nothing',
    [{ op: 'add', path: 'phoneNumbers[type eq "work"].value', value: null }],
    {},
  ],
  [
    '§3.5.2.1: adding null creates no value for a filter',
    [{ op: 'add', path: 'phoneNumbers[type eq "work"]', value: null }],
    {},
  ],
  [
    '§3.5.2.1: a filter selects the value to add to',
    [{ op: 'add', path: 'emails[type eq "home"].display', value: 'Home' }],
    { emails: [work, { ...home, display: 'Home' }] },
  ],
  // §3.5.2.2 Remove
  [
    '§3.5.2.2: a single value is removed',
    [{ op: 'remove', path: 'active' }],
    { active: undefined },
  ],
  ['§3.5.2.2: all values are removed', [{ op: 'remove', path: 'emails' }], { emails: undefined }],
  [
    '§3.5.2.2: all values are removed by a remove whose value is null',
    [{ op: 'remove', path: 'emails', value: null }],
    { emails: undefined },
  ],
  [
    '§3.5.2.2: a remove whose value is an empty list names no value',
    [{ op: 'remove', path: 'emails', value: [] }],
    'noTarget',
  ],
  [
    '§3.5.2.2: a read-only attribute cannot be removed by its value',
    [{ op: 'remove', path: 'id', value: '2819c223' }],
    'mutability',
  ],
  [
    '§3.5.2.2: the matching values are removed',
    [{ op: 'remove', path: 'emails[type eq "work"]' }],
    { emails: [home] },
  ],
  [
    '§3.5.2.2: an attribute is removed with its last value',
    [{ op: 'remove', path: 'addresses[type eq "work"]' }],
    { addresses: undefined },
  ],
  [
    '§3.5.2.2: a sub-attribute of the matching values is removed',
    [{ op: 'remove', path: 'emails[type eq "work"].primary' }],
    { emails: [{ value: 'b@work.com', type: 'work' }, home] },
  ],
  [
    '§3.5.2.2: a sub-attribute is removed',
    [{ op: 'remove', path: 'name.givenName' }],
    { name: { familyName: 'Jensen' } },
  ],
  ['§3.5.2.2: removing an absent attribute changes nothing', [{ op: 'remove', path: 'title' }], {}],
  [
    '§3.5.2.2: the values that match either operand of a disjunction are removed',
    [{ op: 'remove', path: 'emails[type eq "home" or type eq "work"]' }],
    { emails: undefined },
  ],
  [
    'RFC 7643 §2.5: a filter with null selects the values without the sub-attribute',
    [
      { op: 'replace', path: 'emails[type eq "work"].display', value: 'Work' },
      { op: 'remove', path: 'emails[display eq null]' },
    ],
    { emails: [{ ...work, display: 'Work' }] },
  ],
  [
    '§3.5.2.2: a value without one of the named sub-attributes stays',
    [{ op: 'remove', path: 'emails', value: [{ type: 'work', display: 'Work' }] }],
    'noTarget',
  ],
  [
    '§3.5.2.2: an empty list does not name the value of a complex attribute',
    [{ op: 'remove', path: 'name', value: [] }],
    'noTarget',
  ],
  [
    '§3.5.2.2: a complex attribute stays if only one of the named sub-attributes is equal',
    [{ op: 'remove', path: 'name', value: { givenName: 'Barbara', familyName: 'Other' } }],
    'noTarget',
  ],
  [
    '§3.5.2.2: a complex attribute is removed by the sub-attributes that it has',
    [{ op: 'remove', path: 'name', value: { givenName: 'BARBARA', honorificPrefix: null } }],
    { name: undefined },
  ],
  ['§3.5.2.2: required attributes stay', [{ op: 'remove', path: 'userName' }], 'mutability'],
  ['§3.5.2.2: read-only attributes stay', [{ op: 'remove', path: 'id' }], 'mutability'],
  [
    '§3.5.2.2: read-only values cannot be removed',
    [{ op: 'remove', path: 'groups[value eq "g1"]' }],
    'mutability',
  ],
  [
    'Table 9: a filter that matches nothing',
    [{ op: 'remove', path: 'emails[type eq "fax"]' }],
    'noTarget',
  ],
  [
    'Table 9: a filter does not select a value that an earlier operation removed',
    [
      { op: 'remove', path: 'emails[type eq "work"]' },
      { op: 'remove', path: 'emails[not (type eq "home")]' },
    ],
    'noTarget',
  ],
  [
    'RFC 7643 §2.4: the only value that is left may become primary',
    [
      { op: 'remove', path: 'emails[type eq "work"]' },
      { op: 'replace', path: 'emails.primary', value: true },
    ],
    { emails: [{ ...home, primary: true }] },
  ],
  // §3.5.2.3 Replace
  [
    '§3.5.2.3: a single value is replaced',
    [{ op: 'replace', path: 'active', value: false }],
    { active: false },
  ],
  [
    '§3.5.2.3: replacing an absent attribute adds it',
    [{ op: 'replace', path: 'title', value: 'Guide' }],
    { title: 'Guide' },
  ],
  [
    '§3.5.2.3: replacing a sub-attribute of an absent attribute adds it with its value',
    [{ op: 'replace', path: 'phoneNumbers.value', value: '1' }],
    { phoneNumbers: [{ value: '1' }] },
  ],
  [
    '§3.5.2.3: without a path the members of the value are replaced',
    [{ op: 'replace', value: { active: false, nickName: 'Babs' } }],
    { active: false, nickName: 'Babs' },
  ],
  [
    '§3.5.2.3: all values of a multi-valued attribute are replaced',
    [{ op: 'replace', path: 'emails', value: [{ value: 'n@x.org' }] }],
    { emails: [{ value: 'n@x.org' }] },
  ],
  [
    '§3.5.2.3: one value without a list replaces all values',
    [{ op: 'replace', path: 'emails', value: { value: 'n@x.org' } }],
    { emails: [{ value: 'n@x.org' }] },
  ],
  [
    '§3.5.2.3: other sub-attributes keep their values',
    [{ op: 'replace', path: 'name', value: { givenName: 'Babs' } }],
    { name: { givenName: 'Babs', familyName: 'Jensen' } },
  ],
  [
    '§3.5.2.3: a matching value is replaced as a whole',
    [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: 'n@x.org', type: 'work' } }],
    { emails: [{ value: 'n@x.org', type: 'work' }, home] },
  ],
  [
    '§3.5.2.3: a sub-attribute of the matching values is replaced',
    [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'n@x.org' }],
    { emails: [{ ...work, value: 'n@x.org' }, home] },
  ],
  [
    '§3.5.2.3: a filter finds a value by what an earlier operation has written',
    [
      { op: 'replace', path: 'emails[value eq "b@work.com"].value', value: 'n@x.org' },
      { op: 'replace', path: 'emails[value eq "n@x.org"].display', value: 'New' },
    ],
    { emails: [{ ...work, value: 'n@x.org', display: 'New' }, home] },
  ],
  [
    'RFC 7643 §2.4: a value that was changed is not the former value any more',
    [
      { op: 'replace', path: 'emails[value eq "b@home.org"].value', value: 'n@x.org' },
      { op: 'add', path: 'emails', value: [{ value: 'b@home.org', type: 'home' }] },
    ],
    { emails: [work, { ...home, value: 'n@x.org' }, home] },
  ],
  [
    'RFC 7643 §2.4: a value that is changed and changed back is one value, which may be primary',
    [
      { op: 'replace', path: 'emails[value eq "b@home.org"].value', value: 'n@x.org' },
      { op: 'replace', path: 'emails[value eq "n@x.org"].value', value: 'b@home.org' },
      { op: 'replace', path: 'emails[value eq "b@home.org"].primary', value: true },
    ],
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ],
  [
    '§3.5.2.3: a filter that matches nothing',
    [{ op: 'replace', path: 'emails[type eq "fax"].value', value: 'x' }],
    'noTarget',
  ],
  [
    'RFC 7643 §2.5: null makes an attribute unassigned',
    [{ op: 'replace', path: 'active', value: null }],
    { active: undefined },
  ],
  [
    'RFC 7643 §2.5: an empty list makes an attribute unassigned',
    [{ op: 'replace', path: 'emails', value: [] }],
    { emails: undefined },
  ],
  [
    'RFC 7643 §2.5: an empty list for a value that a filter selects removes it, as null does',
    [{ op: 'replace', path: 'emails[type eq "work"]', value: [] }],
    { emails: [home] },
  ],
  [
    'RFC 7643 §2.5: an empty list for a single-valued attribute removes it, as null does',
    [
      { op: 'replace', path: 'active', value: [] },
      { op: 'replace', path: 'name', value: [] },
    ],
    { active: undefined, name: undefined },
  ],
  [
    'RFC 7643 §2.4: repeated pairs of type and value are dropped',
    [
      {
        op: 'replace',
        path: 'emails',
        value: [
          { value: 'n@x.org', type: 'work' },
          { value: 'N@X.ORG', type: 'Work', primary: true },
          { value: 'n@x.org', type: 'home' },
          { value: 'n@x.org' },
          { value: 'n@x.org', display: 'N' },
        ],
      },
    ],
    {
      emails: [
        { value: 'N@X.ORG', type: 'Work', primary: true },
        { value: 'n@x.org', type: 'home' },
        { value: 'n@x.org' },
      ],
    },
  ],
  [
    'RFC 7643 §2.5: null in a complex value removes a part',
    [{ op: 'replace', path: 'name', value: { givenName: null } }],
    { name: { familyName: 'Jensen' } },
  ],
  [
    'a required attribute cannot be removed',
    [{ op: 'replace', path: 'userName', value: null }],
    'mutability',
  ],
  [
    'a required attribute cannot be empty',
    [{ op: 'replace', path: 'userName', value: '' }],
    'invalidValue',
  ],
  // §3.5.2
  [
    '§3.5.2: a new primary value clears the others',
    [{ op: 'add', path: 'emails', value: [{ value: 'n@x.org', primary: true }] }],
    { emails: [{ ...work, primary: false }, home, { value: 'n@x.org', primary: true }] },
  ],
  [
    '§3.5.2: a value that becomes primary clears the others',
    [{ op: 'replace', path: 'emails[type eq "home"].primary', value: true }],
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    },
  ],
  [
    '§3.5.2: each new primary value clears the one before',
    [
      { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
      { op: 'add', path: 'emails', value: [{ value: 'n@x.org', primary: true }] },
    ],
    {
      emails: [
        { ...work, primary: false },
        { ...home, primary: false },
        { value: 'n@x.org', primary: true },
      ],
    },
  ],
  [
    '§3.5.2: a value that is no longer primary is found by that',
    [
      { op: 'add', path: 'emails', value: [{ value: 'n@x.org', primary: false }] },
      { op: 'remove', path: 'emails', value: [{ primary: false }] },
      { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
      { op: 'remove', path: 'emails', value: [{ primary: false }] },
    ],
    { emails: [{ ...home, primary: true }] },
  ],
  [
    'RFC 7643 §2.4: two values cannot be primary',
    [
      {
        op: 'add',
        path: 'emails',
        value: [
          { value: '1', primary: true },
          { value: '2', primary: true },
        ],
      },
    ],
    'invalidValue',
  ],
  [
    'RFC 7643 §2.4: one value for several cannot be primary',
    [{ op: 'replace', path: 'emails.primary', value: true }],
    'invalidValue',
  ],
  [
    'RFC 7643 §2.4: a filter that selects several values cannot make them primary',
    [{ op: 'add', path: 'emails[value pr]', value: { primary: true } }],
    'invalidValue',
  ],
  [
    'RFC 7643 §2.5: null removes an extension',
    [{ op: 'replace', path: ENTERPRISE, value: null }],
    { schemas: [USER], [ENTERPRISE]: undefined },
  ],
  [
    'RFC 7643 §2.5: null removes an extension, also without a path',
    [{ op: 'replace', value: { [ENTERPRISE]: null } }],
    { schemas: [USER], [ENTERPRISE]: undefined },
  ],
  [
    '§3.5.2.3: an object for an extension keeps the attributes that it does not name',
    [{ op: 'replace', value: { [ENTERPRISE.toUpperCase()]: { Department: 'HR' } } }],
    { [ENTERPRISE]: { department: 'HR', manager: { value: 'm1' } } },
  ],
  [
    '§3.5.2: an extension is written by its URN',
    [{ op: 'replace', path: `${ENTERPRISE}:department`, value: 'HR' }],
    { [ENTERPRISE]: { department: 'HR', manager: { value: 'm1' } } },
  ],
  [
    '§3.5.2: a whole extension is merged',
    [{ op: 'add', path: ENTERPRISE, value: { division: 'North' } }],
    { [ENTERPRISE]: { department: 'Sales', manager: { value: 'm1' }, division: 'North' } },
  ],
  [
    'RFC 7643 §3.3: an attribute of another schema is unknown in an extension',
    [{ op: 'add', path: ENTERPRISE, value: { userName: 'other' } }],
    'invalidPath',
  ],
  [
    'RFC 7643 §3.3: an extension cannot contain another schema',
    [{ op: 'add', value: { [ENTERPRISE]: { [USER]: { userName: 'other' } } } }],
    'invalidPath',
  ],
  [
    '§3.10: keys may be paths, with the URN and without it',
    [
      {
        op: 'add',
        path: ENTERPRISE,
        value: { 'manager.value': 'm2', [`${ENTERPRISE}:division`]: 'N' },
      },
    ],
    { [ENTERPRISE]: { department: 'Sales', manager: { value: 'm2' }, division: 'N' } },
  ],
  [
    'RFC 7643 §2.1: keys in another letter case name the same attribute, and apply in their order',
    [
      {
        op: 'replace',
        value: {
          title: 'Guide',
          TITLE: 'Chief',
          [ENTERPRISE]: { department: 'HR' },
          [ENTERPRISE.toUpperCase()]: { department: 'IT' },
        },
      },
    ],
    { title: 'Chief', [ENTERPRISE]: { department: 'IT', manager: { value: 'm1' } } },
  ],
  [
    'RFC 7643 §3: a core attribute below its URN must have the value of the top level',
    [{ op: 'replace', value: { [CORE]: { title: 'Guide' }, TITLE: 'Chief' } }],
    'invalidValue',
  ],
  [
    'RFC 7643 §3: a core attribute below its URN may be repeated at the top level',
    [{ op: 'replace', value: { title: 'Guide', [CORE]: { Title: 'Guide' } } }],
    { title: 'Guide' },
  ],
  [
    'RFC 7643 §3: the core URN cannot be duplicated in different letter case',
    [{ op: 'replace', value: { [CORE]: { title: 'A' }, [CORE.toUpperCase()]: { title: 'B' } } }],
    'invalidValue',
  ],
  [
    'RFC 7643 §2.1: a core attribute below its URN cannot be duplicated in different letter case',
    [{ op: 'replace', value: { [CORE]: { title: 'A', TITLE: 'A' } } }],
    'invalidValue',
  ],
  [
    'RFC 7643 §2.1: a part of one value cannot be duplicated in different letter case',
    [{ op: 'replace', path: 'name', value: { givenName: 'A', GIVENNAME: 'B' } }],
    'invalidValue',
  ],
  [
    '§3.5.2: a whole extension is removed with its URN',
    [{ op: 'remove', path: ENTERPRISE }],
    { [ENTERPRISE]: undefined, ...bare },
  ],
  [
    '§3.5.2: the URN of an extension is removed with its last member',
    [
      { op: 'remove', path: `${ENTERPRISE}:department` },
      { op: 'remove', path: `${ENTERPRISE}:manager` },
    ],
    { [ENTERPRISE]: undefined, ...bare },
  ],
  [
    '§3.5.2: operations apply in order',
    [
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails', value: { value: '1' } },
      { op: 'replace', path: 'emails.value', value: '2' },
    ],
    { emails: [{ value: '2' }] },
  ],
  [
    '§3.5.2: all operations apply or none',
    [
      { op: 'replace', path: 'active', value: false },
      { op: 'remove', path: 'userName' },
    ],
    'mutability',
  ],
  ['§3.5.2: read-only attributes', [{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
  [
    '§3.5.2: null for a read-only value',
    [{ op: 'replace', path: 'id', value: null }],
    'mutability',
  ],
  [
    '§3.5.2.2: a read-only sub-attribute with its own value changes nothing',
    [{ op: 'replace', path: 'meta.version', value: 'W/"1"' }],
    {},
  ],
  [
    '§3.5.2: an unchanged and a changed part of a read-only attribute',
    [{ op: 'replace', path: 'meta', value: { resourceType: 'User', version: 'other' } }],
    'mutability',
  ],
  [
    '§3.5.2: a filter on a read-only attribute, also with its own values',
    [{ op: 'replace', path: 'groups[value eq "g1"]', value: user.groups }],
    'mutability',
  ],
  [
    '§3.5.2: read-only sub-attributes',
    [{ op: 'replace', path: 'meta.version', value: 'x' }],
    'mutability',
  ],
  [
    '§3.5.2: read-only multi-valued attributes',
    [{ op: 'add', path: 'groups', value: [{ value: 'g2' }] }],
    'mutability',
  ],
  ['§3.5.2: an unknown attribute', [{ op: 'add', path: 'shoeSize', value: 9 }], 'invalidPath'],
  [
    '§3.5.2: an unknown sub-attribute',
    [{ op: 'add', path: 'name.shoeSize', value: 9 }],
    'invalidPath',
  ],
  [
    '§3.5.2: an unknown member of a value',
    [{ op: 'add', path: 'emails', value: { shoeSize: 9 } }],
    'invalidPath',
  ],
  ['§3.5.2: an unknown key without a path', [{ op: 'add', value: { shoeSize: 9 } }], 'invalidPath'],
  ['§3.5.2: an unknown schema', [{ op: 'add', path: 'urn:x:2.0:User:a', value: 1 }], 'invalidPath'],
  [
    '§3.5.2: a changed part of a read-only attribute',
    [{ op: 'replace', value: { meta: { resourceType: 'Group' } } }],
    'mutability',
  ],
  [
    '§3.5.2: an unknown part of a read-only attribute',
    [{ op: 'replace', value: { meta: { shoeSize: 9 } } }],
    'mutability',
  ],
  [
    '§3.5.2: a filter on a single-valued attribute',
    [{ op: 'add', path: 'name[givenName pr].familyName', value: 'x' }],
    'invalidPath',
  ],
  [
    'Table 9: a filter that does not fit the attribute type',
    [{ op: 'remove', path: 'emails[primary gt true]' }],
    'invalidFilter',
  ],
  ['a value of the wrong type', [{ op: 'replace', path: 'active', value: 'yes' }], 'invalidValue'],
  [
    'a string for a list of objects without a value',
    [{ op: 'add', path: 'addresses', value: 'Oslo' }],
    'invalidValue',
  ],
  ['a number for a string', [{ op: 'replace', path: 'title', value: 5 }], 'invalidValue'],
  ['an object for a string', [{ op: 'replace', path: 'title', value: { a: 1 } }], 'invalidValue'],
  [
    '§3.10: names in any case, written as the definition spells them',
    [{ op: 'add', path: 'EMAILS[TYPE eq "HOME"].DISPLAY', value: 'Home' }],
    { emails: [work, { ...home, display: 'Home' }] },
  ],
  [
    'schemas may name a schema of the resource',
    [{ op: 'add', path: 'schemas', value: [ENTERPRISE] }],
    {},
  ],
  [
    'schemas cannot name an unknown schema',
    [{ op: 'add', path: 'schemas', value: ['urn:x'] }],
    'invalidValue',
  ],
  ['schemas stay', [{ op: 'remove', path: 'schemas' }], 'mutability'],
]

/** Requests of identity providers, over the user. */
export const providers: readonly Row[] = [
  [
    'Entra ID: an unchanged part of a read-only attribute',
    [{ op: 'replace', value: { meta: { ResourceType: 'User', location: null }, title: 'x' } }],
    { title: 'x' },
  ],
  [
    'Entra ID: operations in title case, booleans as strings',
    [{ op: 'Replace', path: 'active', value: 'False' }],
    { active: false },
  ],
  [
    'Entra ID: dotted keys without a path',
    [{ op: 'replace', value: { 'name.givenName': 'Babs', 'name.familyName': 'J' } }],
    { name: { givenName: 'Babs', familyName: 'J' } },
  ],
  [
    'Entra ID: qualified keys without a path',
    [{ op: 'replace', value: { [`${ENTERPRISE}:department`]: 'HR' } }],
    { [ENTERPRISE]: { department: 'HR', manager: { value: 'm1' } } },
  ],
  [
    'Entra ID: an extension without a path',
    [{ op: 'replace', value: { [ENTERPRISE]: { department: 'HR' } } }],
    { [ENTERPRISE]: { department: 'HR', manager: { value: 'm1' } } },
  ],
  [
    'Entra ID: a value path as a key',
    [{ op: 'add', value: { 'emails[type eq "work"].value': 'n@x.org' } }],
    { emails: [{ ...work, value: 'n@x.org' }, home] },
  ],
  [
    'Entra ID: several value paths as keys',
    [
      {
        op: 'add',
        value: {
          'emails[type eq "work"].display': 'Desk',
          'emails[type eq "home"].display': 'Sofa',
        },
      },
    ],
    {
      emails: [
        { ...work, display: 'Desk' },
        { ...home, display: 'Sofa' },
      ],
    },
  ],
  [
    'Entra ID: a value path as a key after another one as a path',
    [
      { op: 'replace', path: 'emails[type eq "work"].display', value: 'Desk' },
      { op: 'replace', value: { 'emails[type eq "home"].display': 'Sofa' } },
    ],
    {
      emails: [
        { ...work, display: 'Desk' },
        { ...home, display: 'Sofa' },
      ],
    },
  ],
  [
    'Entra ID: a sub-attribute of all values as a key',
    [{ op: 'add', value: { 'addresses.country': 'SE' } }],
    { addresses: [{ type: 'work', locality: 'Oslo', country: 'SE' }] },
  ],
  [
    'Entra ID: an address that does not exist yet',
    [{ op: 'Add', path: 'addresses[type eq "home"].locality', value: 'Bergen' }],
    { addresses: [...user.addresses, { type: 'home', locality: 'Bergen' }] },
  ],
  [
    'Entra ID: other letter case of sub-attributes',
    [{ op: 'Replace', path: 'emails[type eq "home"].Value', value: 'n@x.org' }],
    { emails: [work, { ...home, value: 'n@x.org' }] },
  ],
  [
    'Entra ID: a boolean as a string inside a path',
    [{ op: 'Add', path: 'roles[primary eq "True"].value', value: 'admin' }],
    { roles: [{ primary: true, value: 'admin' }] },
  ],
  [
    'Entra ID: a role as a string of JSON',
    [{ op: 'Add', path: 'roles', value: [{ value: '{"id":"1"}' }] }],
    { roles: [{ value: '{"id":"1"}' }] },
  ],
  [
    'Entra ID: a list of one for a single value',
    [{ op: 'Replace', path: 'title', value: [{ value: 'Guide' }] }],
    { title: 'Guide' },
  ],
  [
    'Entra ID: a manager as a list of one',
    [{ op: 'Add', path: `${ENTERPRISE}:manager`, value: [{ $ref: null, value: 'm2' }] }],
    { [ENTERPRISE]: { department: 'Sales', manager: { value: 'm2' } } },
  ],
  [
    'Entra ID: a manager by its id only',
    [{ op: 'Add', path: `${ENTERPRISE}:manager`, value: 'm2' }],
    { [ENTERPRISE]: { department: 'Sales', manager: { value: 'm2' } } },
  ],
  [
    'Entra ID: a dot between the URN and the name',
    [{ op: 'Add', path: `${ENTERPRISE}.manager`, value: 'm2' }],
    { [ENTERPRISE]: { department: 'Sales', manager: { value: 'm2' } } },
  ],
  [
    'Entra ID: an empty value in an object removes the manager',
    [{ op: 'Replace', path: `${ENTERPRISE}:manager`, value: { value: '' } }],
    { [ENTERPRISE]: { department: 'Sales' } },
  ],
  [
    'Entra ID: an empty value removes the manager next to other sub-attributes, in a list, without a path',
    [{ op: 'Add', value: { [ENTERPRISE]: { manager: [{ $ref: '../Users/', value: '' }] } } }],
    { [ENTERPRISE]: { department: 'Sales' } },
  ],
  [
    'Entra ID: an empty manager.value removes the manager',
    [{ op: 'Replace', path: `${ENTERPRISE}:manager.value`, value: '' }],
    { [ENTERPRISE]: { department: 'Sales' } },
  ],
  [
    'Entra ID: an empty string removes the manager',
    [{ op: 'Replace', path: `${ENTERPRISE}:manager`, value: '' }],
    { [ENTERPRISE]: { department: 'Sales' } },
  ],
  [
    'Okta: deactivation without a path',
    [{ op: 'replace', value: { active: false } }],
    { active: false },
  ],
  [
    'Okta: read-only members sent back unchanged',
    [{ op: 'replace', value: { id: '2819c223', groups: user.groups, title: 'Guide' } }],
    { title: 'Guide' },
  ],
  [
    'Okta: read-only members sent back with another value',
    [{ op: 'replace', value: { id: 'other', title: 'Guide' } }],
    'mutability',
  ],
  ['Okta: a password', [{ op: 'replace', value: { password: 'x' } }], { password: 'x' }],
  [
    'validators: remove, add and replace of one attribute',
    [
      { op: 'remove', path: 'emails[type eq "work"]' },
      { op: 'add', path: 'emails[type eq "work"].value', value: 'a@x.org' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'b@x.org' },
    ],
    { emails: [home, { type: 'work', value: 'b@x.org' }] },
  ],
]

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

export const group = {
  schemas: [GROUP],
  id: 'g1',
  displayName: 'Guides',
  members: [
    { value: 'u1', display: 'Babs', type: 'User' },
    { value: 'u2', display: 'Mandy' },
    { value: 'u3' },
  ],
}

const [u1, u2, u3] = group.members

/** Membership of the group. */
export const memberships: readonly Row[] = [
  [
    '§3.5.2.1 example: a member is added',
    [{ op: 'add', path: 'members', value: [{ display: 'B', value: 'u4' }] }],
    { members: [u1, u2, u3, { display: 'B', value: 'u4' }] },
  ],
  [
    '§3.5.2.1: a member is not added twice',
    [{ op: 'add', path: 'members', value: [{ value: 'u1', display: 'Other' }] }],
    {},
  ],
  [
    '§3.5.2.2 example: one member is removed',
    [{ op: 'remove', path: 'members[value eq "u2"]' }],
    { members: [u1, u3] },
  ],
  [
    '§3.5.2.2 example: without the space',
    [{ op: 'remove', path: 'members[value eq"u2"]' }],
    { members: [u1, u3] },
  ],
  [
    '§3.5.2.2 example: all members are removed',
    [{ op: 'remove', path: 'members' }],
    { members: undefined },
  ],
  [
    '§3.5.2.2 example: remove and add',
    [
      { op: 'remove', path: 'members[value eq "u1"]' },
      { op: 'add', path: 'members', value: [{ value: 'u5' }] },
    ],
    { members: [u2, u3, { value: 'u5' }] },
  ],
  [
    '§3.5.2.3 example: all members are replaced',
    [{ op: 'replace', path: 'members', value: [{ value: 'u9' }] }],
    { members: [{ value: 'u9' }] },
  ],
  [
    'RFC 7643 §2.4: a member is not repeated',
    [{ op: 'replace', path: 'members', value: [{ value: 'u9' }, { value: 'U9' }] }],
    { members: [{ value: 'u9' }] },
  ],
  [
    'RFC 7643 §4.2: the id of a member is immutable',
    [{ op: 'replace', path: 'members[value eq "u1"].value', value: 'u9' }],
    'mutability',
  ],
  [
    'RFC 7643 §4.2: a missing part of a member can be added',
    [{ op: 'add', path: 'members[value eq "u3"].display', value: 'Kim' }],
    { members: [u1, u2, { value: 'u3', display: 'Kim' }] },
  ],
  [
    'Deviation, Entra ID: remove by a list of values',
    [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: 'u2' }] }],
    { members: [u1, u3] },
  ],
  [
    'Deviation, OneLogin: remove by one value',
    [{ op: 'remove', path: 'members', value: { value: 'u2' } }],
    { members: [u1, u3] },
  ],
  [
    'RFC 7643 §4.2: an addition of a member sets its missing parts, and keeps the others',
    [{ op: 'add', path: 'members', value: [{ value: 'u2', display: 'Other', type: 'User' }] }],
    { members: [u1, { ...u2, type: 'User' }, u3] },
  ],
  ['a missing member', [{ op: 'remove', path: 'members[value eq "u9"]' }], 'noTarget'],
  [
    'removing a value that does not exist',
    [{ op: 'remove', path: 'members', value: [{ value: 'u9' }] }],
    'noTarget',
  ],
  [
    'RFC 7643 §2.5: a value whose members are all null does not name a member',
    [{ op: 'remove', path: 'members', value: [{ $ref: null, value: null }] }],
    'noTarget',
  ],
  [
    'RFC 7643 §2.5: a value whose members are all null does not replace or add anything',
    [
      { op: 'add', path: 'members', value: [{ value: null }] },
      { op: 'replace', path: 'members', value: [{ value: null }] },
    ],
    { members: undefined },
  ],
  [
    'RFC 7643 §2.5: a type that is null is not another type',
    [{ op: 'add', path: 'members', value: [{ value: 'u1', type: null }] }],
    {},
  ],
  [
    'Okta: renames a group and sends its id',
    [{ op: 'replace', value: { id: 'g1', displayName: 'Tours' } }],
    { displayName: 'Tours' },
  ],
  ['erratum 5368: displayName is required', [{ op: 'remove', path: 'displayName' }], 'mutability'],
  [
    'JumpCloud: several operations',
    [
      { op: 'add', path: 'members', value: [{ value: 'u4' }] },
      { op: 'remove', path: 'members', value: [{ value: 'u1' }] },
    ],
    { members: [u2, u3, { value: 'u4' }] },
  ],
]
