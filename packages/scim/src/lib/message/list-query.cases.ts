const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** The title of a row, the query string, and the members of the query that differ from the defaults. */
export const read: readonly (readonly [string, string, object])[] = [
  ['§3.4.2: an empty query', '', {}],
  ['§3.4.2.2: a filter', 'filter=title%20pr', { filter: present('title') }],
  ['a plus sign is a space', 'filter=title+pr', { filter: present('title') }],
  ['§3.4.2.4: a page', 'startIndex=11&count=10', { startIndex: 11, count: 10 }],
  ['§3.4.2.4 Table 6: startIndex 0 is 1', 'startIndex=0', { startIndex: 1 }],
  ['§3.4.2.4 Table 6: a negative startIndex is 1', 'startIndex=-5', { startIndex: 1 }],
  ['§3.4.2.4 Table 6: a count of 0 requests no resources', 'count=0', { count: 0 }],
  ['§3.4.2.4 Table 6: a negative count is 0', 'count=-1', { count: 0 }],
  ['a negative zero is zero', 'count=-0', { count: 0 }],
  ['a sign and leading zeros', 'startIndex=%2B007', { startIndex: 7 }],
  [
    'numbers beyond the exact ones are the largest exact one',
    'startIndex=99999999999999999999&count=99999999999999999999',
    { startIndex: Number.MAX_SAFE_INTEGER, count: Number.MAX_SAFE_INTEGER },
  ],
  ['RFC 9865 §2: the first page by cursor', 'cursor', { cursor: '' }],
  ['RFC 9865 §2: an empty cursor, and a count', 'cursor=&count=10', { cursor: '', count: 10 }],
  ['RFC 9865 §2: a page further on', 'cursor=VZUTiyhEQJ94IR', { cursor: 'VZUTiyhEQJ94IR' }],
  ['a cursor is returned unchanged', 'cursor=%20%2B%3D%00', { cursor: ' +=\0' }],
  ['§3.4.2.3: sorting', 'sortBy=name.familyName', { sortBy: 'name.familyName' }],
  [
    '§3.4.2.3: descending',
    'sortBy=id&sortOrder=descending',
    { sortBy: 'id', sortOrder: 'descending' },
  ],
  ['an order in another letter case', 'sortOrder=DESCENDING', { sortOrder: 'descending' }],
  [
    '§3.9: attributes',
    'attributes=userName,emails.value',
    { attributes: ['userName', 'emails.value'] },
  ],
  [
    'spaces around the commas',
    'attributes=+userName+,%20title',
    { attributes: ['userName', 'title'] },
  ],
  ['empty places between commas', 'attributes=,userName,,', { attributes: ['userName'] }],
  [
    'a list in several parameters',
    'attributes=userName&attributes=title',
    { attributes: ['userName', 'title'] },
  ],
  ['an empty list does not name attributes', 'attributes=', {}],
  ['an empty list does not exclude attributes', 'excludedAttributes=,', {}],
  [
    'one of the two may be empty',
    'attributes=title&excludedAttributes=',
    { attributes: ['title'] },
  ],
  ['§3.9: excluded attributes', 'excludedAttributes=members', { excludedAttributes: ['members'] }],
  [
    '§3.10: qualified attributes',
    'attributes=urn:ietf:params:scim:schemas:core:2.0:User:userName',
    { attributes: ['urn:ietf:params:scim:schemas:core:2.0:User:userName'] },
  ],
  [
    'parameters of others are ignored',
    '__proto__=x&constructor=y&aadOptscim062020&count=3',
    { count: 3 },
  ],
  ['other parameters may be duplicated', 'x=1&x=2', {}],
  [
    'Okta: a lookup',
    'filter=title+pr&startIndex=1&count=100',
    { filter: present('title'), count: 100 },
  ],
]

/** The title of a row, the query string, and the scimType and start of the message. */
export const rejected: readonly (readonly [string, string, string, string])[] = [
  [
    'a parameter that differs only in letter case would otherwise list all resources',
    'FILTER=userName+eq+%22anna%22',
    'invalidValue',
    'unknown parameter FILTER: write filter',
  ],
  [
    'a parameter in another letter case next to its right spelling',
    'startIndex=1&startindex=5',
    'invalidValue',
    'unknown parameter startindex: write startIndex',
  ],
  ['a count that is not a number', 'count=ten', 'invalidValue', 'count must be an integer'],
  ['a fraction', 'count=1.5', 'invalidValue', 'count must be an integer'],
  ['an exponent', 'startIndex=1e3', 'invalidValue', 'startIndex must be an integer'],
  ['an empty number', 'startIndex=', 'invalidValue', 'startIndex must be an integer'],
  ['a hexadecimal number', 'count=0x10', 'invalidValue', 'count must be an integer'],
  ['digits of another script', 'count=%D9%A3', 'invalidValue', 'count must be an integer'],
  ['spaces around a number', 'count=+1+', 'invalidValue', 'count must be an integer'],
  ['infinity', 'count=Infinity', 'invalidValue', 'count must be an integer'],
  ['a number twice', 'count=1&count=1', 'invalidValue', 'count is duplicated'],
  ['a filter twice', 'filter=a+pr&filter=b+pr', 'invalidValue', 'filter is duplicated'],
  ['a cursor twice', 'cursor=a&cursor=b', 'invalidValue', 'cursor is duplicated'],
  [
    'a cursor together with startIndex',
    'cursor=&startIndex=1',
    'invalidValue',
    'cursor and startIndex cannot be sent together',
  ],
  [
    'RFC 9865 §2: a count of 0 with a cursor',
    'cursor&count=0',
    'invalidCount',
    'count must be at least 1 with a cursor',
  ],
  ['RFC 9865 §2: a negative count', 'cursor&count=-1', 'invalidCount', 'count must be at least 1'],
  [
    'RFC 9865 §2: a count that is not a number',
    'cursor&count=x',
    'invalidCount',
    'count must be an int',
  ],
  ['RFC 9865 §2: an empty count', 'cursor=a&count=', 'invalidCount', 'count must be an integer'],
  ['an unknown order', 'sortOrder=up', 'invalidValue', 'sortOrder must be ascending or'],
  ['an empty order', 'sortOrder=', 'invalidValue', 'sortOrder must be ascending or'],
  ['a filter that is malformed', 'filter=title+is+x', 'invalidFilter', 'expected an operator'],
  ['an empty filter', 'filter=', 'invalidFilter', 'expected'],
  ['sortBy that is malformed', 'sortBy=a..b', 'invalidPath', 'expected'],
  ['an empty sortBy', 'sortBy=', 'invalidPath', 'expected'],
  ['sortBy that is a filter', 'sortBy=emails[type+pr]', 'invalidPath', 'expected'],
  ['attributes that are malformed', 'attributes=title,a+b', 'invalidPath', 'expected'],
  ['excludedAttributes that are malformed', 'excludedAttributes=.', 'invalidPath', 'expected'],
  ['a name that is not an attribute name', 'attributes=__proto__', 'invalidPath', 'expected'],
  [
    '§3.9: attributes and excludedAttributes',
    'attributes=title&excludedAttributes=id',
    'invalidValue',
    'attributes and excludedAttributes cannot be sent together',
  ],
]

/** A query string with a name that is not in the definitions, and the scimType of the error. */
export const unknown: readonly (readonly [string, string])[] = [
  ['attributes=shoeSize', 'invalidPath'],
  ['attributes=title,name.shoeSize', 'invalidPath'],
  ['excludedAttributes=shoeSize', 'invalidPath'],
  ['sortBy=shoeSize', 'invalidPath'],
  ['sortBy=constructor', 'invalidPath'],
  ['attributes=urn:x:2.0:User:title', 'invalidPath'],
  ['filter=shoeSize+pr', 'invalidFilter'],
  ['filter=title+pr+and+(id+pr+or+not+(shoeSize+eq+9))', 'invalidFilter'],
  ['filter=shoes[size+eq+9]', 'invalidFilter'],
  ['filter=emails[size+eq+9]', 'invalidFilter'],
  ['filter=title+pr+or+not+(emails[type+pr+and+userName+pr])', 'invalidFilter'],
  ['filter=emails[emails.value+pr]', 'invalidFilter'],
  [`filter=emails[${USER}:userName+pr]`, 'invalidFilter'],
  ['filter=userName[type+pr]', 'invalidFilter'],
  [`filter=${USER}+pr`, 'invalidFilter'],
  [`filter=${USER}[value+pr]`, 'invalidFilter'],
]

/** Paths that name a schema where an attribute is required. */
export const schemaPaths: readonly string[] = [USER, USER.toUpperCase()]

function present(attribute: string): object {
  return { type: 'present', path: { schema: null, attribute, subAttribute: null } }
}
