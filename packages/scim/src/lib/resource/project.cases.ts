const CORE = 'urn:example:2.0:Thing'
const EXTENSION = 'urn:example:extension:2.0:Thing'
const OTHER = 'urn:example:extension:2.0:Other'

const part = (name: string, returned?: 'always' | 'never' | 'default' | 'request') => ({
  name,
  type: 'string' as const,
  ...(returned ? { returned } : {}),
})

/** One attribute of every `returned`, single, complex and multi-valued. */
export const definitions = {
  [CORE]: {
    id: CORE,
    name: 'Thing',
    attributes: [
      part('title'),
      part('code', 'always'),
      part('secret', 'never'),
      part('notes', 'request'),
      { ...part('token'), mutability: 'writeOnly' as const },
      { ...part('seal', 'always'), mutability: 'writeOnly' as const },
      { name: 'name', type: 'complex' as const, subAttributes: [part('given'), part('family')] },
      {
        name: 'parts',
        type: 'complex' as const,
        multiValued: true,
        subAttributes: [
          part('value'),
          part('serial', 'always'),
          part('key', 'never'),
          part('log', 'request'),
        ],
      },
      {
        name: 'vault',
        type: 'complex' as const,
        returned: 'never' as const,
        subAttributes: [part('value'), part('label', 'always')],
      },
      {
        name: 'history',
        type: 'complex' as const,
        multiValued: true,
        returned: 'request' as const,
        subAttributes: [part('value'), part('by')],
      },
    ],
  },
  [EXTENSION]: {
    id: EXTENSION,
    name: 'More',
    attributes: [
      part('size'),
      part('pin', 'never'),
      { name: 'owner', type: 'complex' as const, subAttributes: [part('value'), part('display')] },
    ],
  },
  [OTHER]: { id: OTHER, name: 'Other', attributes: [part('hidden', 'never')] },
}

const { schemas, id } = { schemas: [CORE, EXTENSION], id: '1' }
const always = { schemas, id, code: 'c' }
const meta = { resourceType: 'Thing', version: 'W/"1"' }

export const thing = {
  ...always,
  externalId: 'x',
  title: 't',
  secret: 's',
  notes: 'n',
  token: 't',
  seal: 's',
  name: { given: 'g', family: 'f' },
  parts: [
    { value: 'p1', serial: 's1', key: 'k1', log: 'l1' },
    { value: 'p2', serial: 's2', key: 'k2' },
  ],
  vault: { value: 'v', label: 'l' },
  history: [{ value: 'h', by: 'b' }],
  [EXTENSION]: { size: 'big', pin: '1234', owner: { value: 'o', display: 'O' } },
  [OTHER]: { hidden: 'h' },
  meta,
}

const parts = [
  { value: 'p1', serial: 's1' },
  { value: 'p2', serial: 's2' },
]
const owner = { value: 'o', display: 'O' }
const name = { given: 'g', family: 'f' }
const extension = { [EXTENSION]: { size: 'big', owner } }
const whole = { ...always, externalId: 'x', title: 't', name, parts, ...extension, meta }

/** The title of a row, the query, and the projected members of the thing. */
export const rows: readonly (readonly [
  string,
  { readonly attributes?: string[]; readonly excludedAttributes?: string[] },
  object,
])[] = [
  ['RFC 7643 §7: the members that are returned by default, without a query', {}, whole],
  ['empty lists select nothing', { attributes: [], excludedAttributes: [] }, whole],
  [
    'RFC 7643 §7: a write-only attribute is not returned, not even by name',
    { attributes: ['token', 'seal'] },
    always,
  ],
  // RFC 7644 §3.9, attributes
  [
    'one attribute, next to those that are always returned',
    { attributes: ['title'] },
    { ...always, title: 't' },
  ],
  ['in another letter case', { attributes: ['TITLE'] }, { ...always, title: 't' }],
  ['qualified by the core schema', { attributes: [`${CORE}:title`] }, { ...always, title: 't' }],
  ['attributes that are always returned may be named', { attributes: ['id', 'code'] }, always],
  ['an unknown name selects nothing', { attributes: ['shoeSize'] }, always],
  ['a malformed name selects nothing', { attributes: ['__proto__', 'a b'] }, always],
  ['RFC 7643 §7: request, by name', { attributes: ['notes'] }, { ...always, notes: 'n' }],
  ['RFC 7643 §7: never, though named', { attributes: ['secret'] }, always],
  ['RFC 7643 §7: never, though a part of it is named', { attributes: ['vault.value'] }, always],
  ['RFC 7643 §7: never, though both are named', { attributes: ['vault', 'vault.label'] }, always],
  ['a complex attribute', { attributes: ['name'] }, { ...always, name }],
  ['a sub-attribute', { attributes: ['name.family'] }, { ...always, name: { family: 'f' } }],
  ['two sub-attributes', { attributes: ['name.given', 'NAME.FAMILY'] }, { ...always, name }],
  ['a sub-attribute and the whole', { attributes: ['name.given', 'name'] }, { ...always, name }],
  [
    'every value of a list, without parts that are returned never or on request',
    { attributes: ['parts'] },
    { ...always, parts },
  ],
  [
    'a sub-attribute of every value, next to those that are always returned',
    { attributes: ['parts.value'] },
    { ...always, parts },
  ],
  [
    'only the parts of every value that are always returned',
    { attributes: ['parts.serial'] },
    { ...always, parts: [{ serial: 's1' }, { serial: 's2' }] },
  ],
  [
    'a sub-attribute that is never returned',
    { attributes: ['parts.key'] },
    { ...always, parts: [{ serial: 's1' }, { serial: 's2' }] },
  ],
  [
    'a sub-attribute that is never returned, and the whole',
    { attributes: ['parts', 'parts.key'] },
    { ...always, parts },
  ],
  [
    'only a sub-attribute on request',
    { attributes: ['parts.log'] },
    { ...always, parts: [{ serial: 's1', log: 'l1' }, { serial: 's2' }] },
  ],
  [
    'a sub-attribute on request, and the whole',
    { attributes: ['parts', 'parts.log'] },
    { ...always, parts: [{ value: 'p1', serial: 's1', log: 'l1' }, parts[1]] },
  ],
  [
    'a list on request',
    { attributes: ['history'] },
    { ...always, history: [{ value: 'h', by: 'b' }] },
  ],
  ['a sub-attribute of it', { attributes: ['history.by'] }, { ...always, history: [{ by: 'b' }] }],
  ['a whole extension', { attributes: [EXTENSION] }, { ...always, ...extension }],
  [
    'a member of an extension',
    { attributes: [`${EXTENSION}:size`] },
    { ...always, [EXTENSION]: { size: 'big' } },
  ],
  [
    'a member of an extension by its unqualified name',
    { attributes: ['size'] },
    { ...always, [EXTENSION]: { size: 'big' } },
  ],
  [
    'a sub-attribute in an extension',
    { attributes: [`${EXTENSION.toUpperCase()}:owner.value`] },
    { ...always, [EXTENSION]: { owner: { value: 'o' } } },
  ],
  ['a part of an extension that is never returned', { attributes: [`${EXTENSION}:pin`] }, always],
  ['an extension whose parts are never returned', { attributes: [OTHER] }, always],
  ['meta', { attributes: ['meta'] }, { ...always, meta }],
  ['a part of meta', { attributes: ['meta.version'] }, { ...always, meta: { version: 'W/"1"' } }],
  // RFC 7644 §3.9, excludedAttributes
  ['all but one attribute', { excludedAttributes: ['title'] }, without('title')],
  ['all but one, in another letter case', { excludedAttributes: ['Title'] }, without('title')],
  ['all but a list', { excludedAttributes: ['parts'] }, without('parts')],
  [
    'all but a sub-attribute of every value',
    { excludedAttributes: ['parts.value'] },
    { ...whole, parts: [{ serial: 's1' }, { serial: 's2' }] },
  ],
  [
    'an attribute that is always returned cannot be excluded',
    { excludedAttributes: ['id', 'code', 'schemas'] },
    whole,
  ],
  [
    'a part that is always returned cannot be excluded',
    { excludedAttributes: ['parts.serial'] },
    whole,
  ],
  [
    'all but a sub-attribute',
    { excludedAttributes: ['name.given'] },
    { ...whole, name: { family: 'f' } },
  ],
  [
    'a complex attribute is excluded with its last part',
    { excludedAttributes: ['name.given', 'name.family'] },
    without('name'),
  ],
  ['all but an extension', { excludedAttributes: [EXTENSION] }, without(EXTENSION)],
  [
    'all but a member of an extension',
    { excludedAttributes: [`${EXTENSION}:owner`] },
    { ...whole, [EXTENSION]: { size: 'big' } },
  ],
  [
    'all but a sub-attribute in an extension',
    { excludedAttributes: ['owner.display'] },
    { ...whole, [EXTENSION]: { size: 'big', owner: { value: 'o' } } },
  ],
  ['meta may be excluded', { excludedAttributes: ['meta'] }, without('meta')],
  ['an unknown name excludes nothing', { excludedAttributes: ['shoeSize', '['] }, whole],
]

function without(name: string): object {
  return Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))
}
