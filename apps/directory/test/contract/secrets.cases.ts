/** Requests of one day with a secret in every place of a request, for a tenant with secret attributes of its own. */
export interface SecretRequest {
  readonly place: string
  readonly method: string
  /** A path of the server. `{id}` is a user of the tenant, and `{tenant}` the tenant. */
  readonly path: string
  /** The content type of SCIM by default. */
  readonly type?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
/** The URN of the schema of the tenant. */
export const OWN = 'urn:example:params:scim:schemas:acme:2.0:User'

/** The schema of the tenant, with attributes that are never returned and whose names are ordinary words. */
export const OWN_SCHEMA = {
  resourceType: 'User',
  id: OWN,
  name: 'Acme',
  attributes: [
    { name: 'door', type: 'string', mutability: 'writeOnly' },
    { name: 'hush', type: 'string', returned: 'never' },
    { name: 'color', type: 'string' },
    {
      name: 'locker',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        { name: 'number', type: 'string' },
        { name: 'seal', type: 'string', returned: 'never' },
      ],
    },
  ],
}

/** The requests. Each calls `secret` for its secret, which is a word without special characters. */
export function secretRequests(secret: (place: string) => string): readonly SecretRequest[] {
  const requests: SecretRequest[] = []
  const add = (
    place: string,
    method: string,
    path: (secret: string) => string,
    body?: (secret: string) => unknown,
    more: (secret: string) => Partial<SecretRequest> = () => ({}),
  ): void => {
    const word = secret(place)
    const sent = body?.(word)
    const text = typeof sent === 'string' ? sent : JSON.stringify(sent)
    requests.push({
      place,
      method,
      path: path(word),
      ...(text === undefined ? {} : { body: text }),
      ...more(word),
    })
  }
  const scim = (path: string) => () => `/scim/v2${path}`
  const query = (text: (word: string) => string) => (word: string) => `/scim/v2/Users?${text(word)}`
  const filter = (text: (word: string) => string) =>
    query((word) => `filter=${encodeURIComponent(text(word))}`)

  // Each member is sent in requests that succeed and in requests that are rejected. Some are stored with the user.
  const members: Readonly<Record<string, (word: string) => object>> = {
    password: (password) => ({ password }),
    'password in another letter case': (word) => ({ PASSword: word }),
    'a list of passwords': (word) => ({ password: [word, { value: word }] }),
    'a password with a URN': (word) => ({ [`${USER}:password`]: word }),
    'an unknown token': (word) => ({ apiToken: word }),
    'an unknown secret': (word) => ({ client_secret: { a: [{ b: word }] } }),
    'an unknown key': (word) => ({ privateKey: word, private: word }),
    'an unknown PIN': (word) => ({ userPin: word, PIN: word, pass: word, otp_code: word }),
    'an own attribute of an unknown extension': (word) => ({ 'urn:x:Other': { hush: word } }),
  }
  const stored: Readonly<Record<string, (word: string) => object>> = {
    'JSON in a string': (word) => ({ roles: [{ value: `{"password":"${word}"}` }] }),
    'JSON in JSON in a string': (word) => ({
      roles: [{ value: JSON.stringify([JSON.stringify({ value: word, type: 'token' })]) }],
    }),
    'a named value': (word) => ({ entitlements: [{ type: 'password', value: word }] }),
    'an assignment': (word) => ({ nickName: `password = ${word}` }),
    'a comparison': (word) => ({ nickName: `pin eq "${word}"` }),
    'a PEM file': (word) => ({ nickName: `-----BEGIN RSA PRIVATE KEY-----\n${word}` }),
    'an own attribute': (word) => ({ [OWN]: { door: word, hush: word } }),
    'an own attribute in another letter case': (word) => ({ [OWN.toUpperCase()]: { DOOR: word } }),
    'an own attribute without its URN': (word) => ({ DOOR: word }),
    'an own sub-attribute': (word) => ({ [OWN]: { locker: [{ number: '1', seal: word }] } }),
  }
  let count = 0
  const named = () => {
    count += 1
    return { schemas: [USER, OWN], userName: `user-${count}` }
  }
  const all = { ...members, ...stored }
  for (const [name, of] of Object.entries(all)) {
    const isStored = Object.hasOwn(stored, name)
    const kept = isStored ? 'stored: ' : ''
    add(`${kept}${name} of POST`, 'POST', scim('/Users'), (word) => ({ ...named(), ...of(word) }))
    add(`${name} of a rejected POST`, 'POST', scim('/Users'), (word) => ({ ...of(word), title: 7 }))
    add(`${kept}${name} of PUT`, 'PUT', scim('/Users/{id}'), (word) => ({
      ...named(),
      ...of(word),
    }))
    add(`${name} of a rejected PUT`, 'PUT', scim('/Users/none'), (word) => ({
      ...named(),
      ...of(word),
    }))
    add(`${kept}${name} of PATCH without a path`, 'PATCH', scim('/Users/{id}'), (word) => ({
      schemas: [PATCH_OP],
      Operations: [{ op: 'add', value: of(word) }],
    }))
    add(`${name} of a rejected PATCH without a path`, 'PATCH', scim('/Users/{id}'), (word) => ({
      schemas: [PATCH_OP],
      Operations: [{ op: 'add', value: of(word) }, { op: 'wrong' }],
    }))
    add(`${kept}${name} of a bulk request`, 'POST', scim('/Bulk'), (word) => ({
      schemas: [BULK],
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'a', data: { ...named(), ...of(word) } },
      ],
    }))
    add(`${name} of a rejected bulk request`, 'POST', scim('/Bulk'), (word) => ({
      schemas: [BULK],
      Operations: [{ method: 'POST', path: '/Users', bulkId: 'a', data: of(word) }],
    }))
  }

  for (const path of ['password', 'PassWord', `${USER}:password`, 'apiToken', 'keys.privateKey']) {
    for (const op of ['add', 'replace', 'Replace', 'wrong']) {
      add(`a PATCH, ${op} ${path}`, 'PATCH', scim('/Users/{id}'), (value) => ({
        schemas: [PATCH_OP],
        Operations: [{ op, path, value }],
      }))
    }
  }
  const ownPaths = [`${OWN}:door`, `${OWN.toLowerCase()}:HUSH`, `${OWN}:locker[number eq "1"].seal`]
  for (const path of ownPaths) {
    add(`stored: a PATCH of ${path}`, 'PATCH', scim('/Users/{id}'), (value) => ({
      schemas: [PATCH_OP],
      Operations: [{ op: 'add', path, value }],
    }))
    add(`a rejected PATCH of ${path}`, 'PATCH', scim('/Users/none'), (value) => ({
      schemas: [PATCH_OP],
      Operations: [{ OP: 'add', Path: path, Value: [value] }],
    }))
  }
  add('stored: a dotted key', 'PATCH', scim('/Users/{id}'), (word) => ({
    schemas: [PATCH_OP],
    Operations: [{ op: 'replace', value: { [`${OWN}:door`]: word } }],
  }))
  for (const path of [
    (word: string) => `tokens[value eq "${word}"]`,
    (word: string) => `emails[password eq "${word}"].value`,
    (word: string) => `${OWN}:locker[seal eq "${word}"]`,
    (word: string) => `password[${word}`,
  ]) {
    add(`the path ${path('…')}`, 'PATCH', scim('/Users/{id}'), (word) => ({
      schemas: [PATCH_OP],
      Operations: [{ op: 'remove', path: path(word) }],
    }))
    add(`the path ${path('…')} as a key`, 'PATCH', scim('/Users/{id}'), (word) => ({
      schemas: [PATCH_OP],
      Operations: [{ op: 'add', value: { [path(word)]: 'x' } }],
    }))
  }

  const filters: readonly ((word: string) => string)[] = [
    (word) => `password eq "${word}"`,
    (word) => `PASSWORD sw "${word}"`,
    (word) => `password eq ${word}`,
    (word) => `not (password co "${word}") and userName pr`,
    (word) => `tokens[value eq "${word}"]`,
    (word) => `userPin eq "${word}"`,
    (word) => `private eq "${word}"`,
    (word) => `${OWN}:door eq "${word}"`,
    (word) => `${OWN}:DOOR sw "${word}" or userName eq "a"`,
    (word) => `${OWN}:locker[seal eq "${word}"]`,
    (word) => `${OWN}:locker.seal ew "${word}"`,
    (word) => `${OWN}:door = "${word}"`,
    (word) => `door eq "${word}"`,
  ]
  for (const text of filters) {
    const place = text('…')
    add(`the filter ${place}`, 'GET', filter(text))
    add(`the filter ${place} without a token`, 'GET', filter(text), undefined, () => ({
      headers: { Authorization: '' },
    }))
    add(`the filter ${place} at a tenant without a token`, 'GET', (word) => {
      return `/scim/tenants/{tenant}/v2/Users?filter=${encodeURIComponent(text(word))}`
    })
    add(`the filter ${place} at a wrong path`, 'GET', (word) => {
      return `/scim/v2/Userz?filter=${encodeURIComponent(text(word))}`
    })
    add(`the filter ${place} of a search`, 'POST', scim('/Users/.search'), (word) => ({
      schemas: [SEARCH],
      filter: text(word),
    }))
    add(`the filter ${place} of a rejected search`, 'POST', scim('/.search'), (word) => ({
      FILTER: text(word),
      count: 'x',
    }))
  }
  for (const name of ['sortBy', 'attributes', 'excludedAttributes']) {
    const path = (word: string) => `${OWN}:locker[seal eq "${word}"].number`
    add(
      `${name} in a URL`,
      'GET',
      query((word) => `${name}=${encodeURIComponent(path(word))}`),
    )
    add(`${name} of a search`, 'POST', scim('/Users/.search'), (word) => ({
      schemas: [SEARCH],
      [name]: name === 'sortBy' ? path(word) : [path(word)],
    }))
  }
  for (const name of ['access_token', 'Client-Secret', 'p%61ssword', 'api+key', 'door', 'pin']) {
    add(
      `the parameter ${name}`,
      'GET',
      query((word) => `${name}=${word}&count=1`),
    )
  }
  add(
    'an assignment in a parameter',
    'GET',
    query((word) => `x=password:${word}`),
  )

  const headers: Readonly<Record<string, (word: string) => string>> = {
    Authorization: (word) => `Bearer ${word}`,
    'User-Agent': (word) => `agent (token=${word})`,
    Accept: (word) => `application/json; password="${word}"`,
    'If-Match': (word) => `W/"secret=${word}"`,
    Cookie: (word) => `plumbline-session=${word}`,
    'X-Api-Key': (word) => word,
    'X-Request-Id': (word) => `token=${word}`,
    Referer: (word) => `https://example.com/?token=${word}`,
  }
  for (const [name, value] of Object.entries(headers)) {
    for (const path of ['/Users?count=0', '/Users/none']) {
      add(`the header ${name} of ${path}`, 'GET', scim(path), undefined, (word) => ({
        headers: { [name]: value(word) },
      }))
    }
  }
  add(
    'the content type',
    'POST',
    scim('/Users'),
    () => '{}',
    (word) => ({
      type: `application/json; token=${word}`,
    }),
  )

  for (const text of [
    (word: string) => `{"userName":"a","password":"${word}"`,
    (word: string) => `{"password":${word}}`,
    (word: string) => `{"password":"${word}\n"}`,
    (word: string) => `password=${word}`,
    (word: string) => `"${word}"`,
  ]) {
    add(`the body ${text('…')}`, 'POST', scim('/Users'), text)
    add(`the body ${text('…')} of another type`, 'POST', scim('/Users'), text, () => ({
      type: 'text/plain',
    }))
  }

  const long = (word: string) => `${word}-${'x'.repeat(60)}`
  add('a path', 'GET', (word) => `/scim/v2/${long(word)}/Users`)
  add('the path of a user', 'GET', (word) => `/scim/v2/Users/${long(word)}`)
  add(
    'the path of a rejected PUT',
    'PUT',
    (word) => `/scim/v2/Groups/${long(word)}`,
    () => ({}),
  )
  add('the path of a tenant', 'GET', (word) => `/scim/tenants/${word}/v2/Users`)

  const form = 'application/x-www-form-urlencoded'
  const forms: readonly ((word: string) => string)[] = [
    (word) => `grant_type=client_credentials&client_id=a&client_secret=${word}`,
    (word) => `grant_type=${word}&client_id=a&client_secret=b`,
    (word) => `grant_type=client_credentials&client_id=a&client_secret=${word}&client_secret=b`,
    (word) => `client_secret=${word}`,
  ]
  for (const text of forms) {
    add(
      `the form ${text('…')}`,
      'POST',
      () => '/scim/oauth/token',
      text,
      () => ({
        type: form,
        headers: { Authorization: '' },
      }),
    )
  }
  add('the query of a token request', 'POST', (word) => `/scim/oauth/token?client_secret=${word}`)
  add(
    'the password of a client',
    'POST',
    () => '/scim/oauth/token',
    () => 'grant_type=x',
    (word) => ({
      type: form,
      headers: { Authorization: `Basic ${btoa(`client:${word}`)}` },
    }),
  )
  add(
    'a form of the console',
    'POST',
    () => '/console/sign-in',
    (word) => `token=${word}`,
    () => ({
      type: form,
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    }),
  )
  add('the query of the console', 'GET', (word) => `/console?token=${word}`)
  add(
    'an unknown member of the API',
    'POST',
    () => '/api/tokens',
    (word) => ({ secret: word }),
    () => ({
      type: 'application/json',
    }),
  )
  return requests
}
