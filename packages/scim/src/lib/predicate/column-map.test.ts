import { describe, expect, it } from 'vitest'
import { prepareColumns, resolveEntry } from './column-map.ts'
import type { NamedColumn, SqlColumnEntry, SqlColumnMap } from './columns.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const path = (
  attribute: string,
  subAttribute: string | null = null,
  schema: string | null = null,
) => ({ schema, attribute, subAttribute })

describe('a column map entry', () => {
  it.each<[string, SqlColumnEntry, NamedColumn]>([
    // The types of the attributes of RFC 7643 are known.
    ['userName', 'c', { kind: 'exact', name: 'c', type: 'string' }],
    ['active', 'c', { kind: 'exact', name: 'c', type: 'boolean' }],
    ['emails.primary', 'c', { kind: 'exact', name: 'c', type: 'boolean' }],
    ['meta.created', 'c', { kind: 'exact', name: 'c', type: 'dateTime' }],
    ['members.value', 'c', { kind: 'exact', name: 'c', type: 'string' }],
    [`${ENTERPRISE}:department`, 'c', { kind: 'exact', name: 'c', type: 'string' }],
    // RFC 7643 §2.4: `value` is the significant part of a complex attribute.
    ['emails', 'c', { kind: 'exact', name: 'c', type: 'string' }],
    ['name', 'c', { kind: 'exact', name: 'c', type: null }],
    ['addresses', 'c', { kind: 'exact', name: 'c', type: null }],
    [ENTERPRISE, 'c', { kind: 'exact', name: 'c', type: null }],
    ['shoeSize', 'c', { kind: 'exact', name: 'c', type: null }],
    ['not a path', 'c', { kind: 'exact', name: 'c', type: null }],
    // An entry with a column is text, unless the type of its attribute is known.
    ['shoeSize', { column: 'c' }, { kind: 'exact', name: 'c', type: 'string' }],
    ['active', { column: 'c' }, { kind: 'exact', name: 'c', type: 'boolean' }],
    ['title', { column: 'c', caseExact: true }, { kind: 'exact', name: 'c', type: 'string' }],
    ['title', { column: 'c', caseExact: false }, { kind: 'ilike', name: 'c', type: 'string' }],
    ['title', { column: 'c', folded: true }, { kind: 'folded', name: 'c' }],
    ['id', { column: 'c', key: 'uuid' }, { kind: 'key', name: 'c', type: 'uuid' }],
    ['id', { column: 'c', key: 'integer' }, { kind: 'key', name: 'c', type: 'integer' }],
    ['title', { column: 'c', type: 'integer' }, { kind: 'integer', name: 'c' }],
    [
      'title',
      { column: 'c', type: 'dateTime' },
      { kind: 'dateTime', name: 'c', format: 'milliseconds' },
    ],
    [
      'title',
      { column: 'c', type: 'dateTime', format: 'seconds' },
      { kind: 'dateTime', name: 'c', format: 'seconds' },
    ],
  ])('%s reads %j', (attribute, entry, column) => {
    expect(resolveEntry(entry, attribute)).toEqual(column)
  })
})

describe('a column map', () => {
  const map: SqlColumnMap = {
    'urn:ietf:params:scim:schemas:core:2.0:User:userName': 'login',
    'URN:IETF:PARAMS:SCIM:SCHEMAS:CORE:2.0:GROUP:displayName': 'label',
    [`${ENTERPRISE}:manager`]: 'boss',
    'urn:example:core:2.0:User:badge': 'badge',
    'Phones[Work].Value': 'phone',
    'phones[WORK].primary': { column: 'is_main' },
    'phones[home].value': { column: 'home', folded: true },
    [`${ENTERPRISE}:desks[main].value`]: 'desk',
    Emails: { table: 'mails', on: { person: 'id', t: 'tenant' }, columns: { Value: 'mail' } },
    'odd[a]': 'odd_type',
    'odd[a].b.c': 'odd_part',
    'odd[].b': 'odd_empty',
    '[a].b': 'odd_name',
    '[a]b[c].d': 'odd_start',
  }
  const { column, elements } = prepareColumns(map)

  it.each([
    // RFC 7644 §3.10: the URN of the core schema may be omitted, in any letter case.
    [path('username'), 'login'],
    [path('userName', null, 'urn:ietf:params:scim:schemas:core:2.0:User'), 'login'],
    [path('displayName'), 'label'],
    [path('manager', null, ENTERPRISE.toUpperCase()), 'boss'],
    [path('badge', null, 'urn:example:core:2.0:User'), 'badge'],
    // An attribute of another schema needs its URN.
    [path('manager'), undefined],
    [path('badge'), undefined],
    [path('userName', 'value'), undefined],
    [path('phones', 'value'), undefined],
    [path('emails'), undefined],
  ])('a column map finds %j: %j', (attribute, name) => {
    expect(column(attribute)).toEqual(
      name === undefined ? undefined : expect.objectContaining({ name }),
    )
  })

  it("a column map has a multi-valued attribute's values, one per type", () => {
    const work = new Map([
      ['type', { kind: 'constant', value: 'work' }],
      ['value', { kind: 'exact', name: 'phone', type: null }],
      ['primary', { kind: 'exact', name: 'is_main', type: 'string' }],
    ])
    const home = new Map<string, object>([
      ['type', { kind: 'constant', value: 'home' }],
      ['value', { kind: 'folded', name: 'home' }],
    ])
    const sources = [
      { join: null, columns: work, rows: null },
      { join: null, columns: home, rows: null },
    ]
    expect(elements(path('PHONES'))).toEqual(sources)
    expect(elements(path('phones', 'anything'))).toEqual(sources)
    expect(elements(path('desks', 'value', ENTERPRISE))).toHaveLength(1)
    expect(elements(path('desks'))).toBeUndefined()
  })

  it("a column map has a multi-valued attribute's table", () => {
    const on = [
      ['person', 'id'],
      ['t', 'tenant'],
    ]
    const columns = new Map([['value', { kind: 'exact', name: 'mail', type: 'string' }]])
    expect(elements(path('emails', 'type'))).toEqual([
      { join: { table: 'mails', on, indexed: [] }, columns, rows: null },
    ])
  })

  it("a malformed name is not read as a typed value's name", () => {
    expect(elements(path('odd'))).toBeUndefined()
    expect(elements(path(''))).toBeUndefined()
    expect(elements(path('a]b'))).toBeUndefined()
  })

  it('a column map is prepared once', () => {
    expect(prepareColumns(map)).toBe(prepareColumns(map))
    expect(prepareColumns({ ...map })).not.toBe(prepareColumns(map))
  })
})
