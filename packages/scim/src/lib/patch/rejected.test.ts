import { isFailure, unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import type { ErrorType } from '../error.ts'
import { ENTERPRISE_USER_DEFINITION, USER_DEFINITION } from '../schema/core-schemas.ts'
import { user } from './apply.cases.ts'
import { applyPatch } from './apply.ts'
import { parsePatch } from './parse.ts'

const ENTERPRISE = ENTERPRISE_USER_DEFINITION.id
const THING = 'urn:example:2.0:Thing'

const definitions = {
  [USER_DEFINITION.id]: USER_DEFINITION,
  [ENTERPRISE]: ENTERPRISE_USER_DEFINITION,
  [THING]: {
    id: THING,
    name: 'Thing',
    attributes: [
      { name: 'size', type: 'integer' as const },
      { name: 'weight', type: 'decimal' as const },
      { name: 'made', type: 'dateTime' as const },
      { name: 'serial', type: 'string' as const, mutability: 'immutable' as const },
      {
        name: 'owner',
        type: 'complex' as const,
        subAttributes: [
          { name: 'value', type: 'string' as const, required: true },
          { name: 'since', type: 'integer' as const },
        ],
      },
      {
        name: 'parts',
        type: 'complex' as const,
        multiValued: true,
        subAttributes: [
          { name: 'value', type: 'string' as const, required: true },
          { name: 'count', type: 'integer' as const },
          { name: 'state', type: 'string' as const, mutability: 'readOnly' as const },
        ],
      },
    ],
  },
}
const resource = { ...user, [THING]: { serial: 's1', parts: [{ value: 'p1', state: 'new' }] } }

const at = (path: string, value: unknown, op = 'replace'): object => ({ op, path, value })
const primary = (value: string): object => ({ value, primary: true })
const remove = (path: string, value?: unknown): object => ({ op: 'remove', path, value })

it.each<[type: ErrorType, message: string, operation: object]>([
  ['invalidPath', 'unknown attribute shoeSize', at('shoeSize', 9)],
  ['invalidPath', 'unknown attribute name.shoeSize', at('name.shoeSize', 9)],
  ['invalidPath', 'expected an attribute name at position 0', { op: 'add', value: { '1': 9 } }],
  ['invalidPath', ENTERPRISE, at(`${ENTERPRISE}[a pr]`, {})],
  ['invalidPath', 'name.familyName ', at('name[givenName pr].familyName', 'x')],
  ['invalidPath', 'name ', at('name', { shoeSize: 1 })],
  ['invalidFilter', 'size eq 1: unknown attribute size', at('emails[size eq 1].value', 'x')],
  ['invalidValue', `${ENTERPRISE} must be an object`, at(ENTERPRISE, 5)],
  ['invalidValue', 'schemas must be a list', at('schemas', [5])],
  ['invalidValue', 'schemas: "urn:x" ', at('schemas', 'urn:x')],
  ['invalidValue', 'userName is required', at('userName', '')],
  ['invalidValue', 'userName is required', at('userName', ' \t\u00a0')],
  ['invalidValue', 'userName must be a string', at('userName', 5)],
  ['invalidValue', 'active must be true or false', at('active', 'yes')],
  ['invalidValue', 'active must be true or false', at('active', 1)],
  ['invalidValue', `${THING}:size must be an integer`, at(`${THING}:size`, 1.5)],
  ['invalidValue', `${THING}:size must be within ±(2^53-1)`, at(`${THING}:size`, 2 ** 53)],
  ['invalidValue', `${THING}:parts.count must be`, at('parts[value eq "p1"].count', -(2 ** 53))],
  [
    'invalidFilter',
    'count eq 9007199254740992: an integer',
    at('parts[count eq 9007199254740993]', {}),
  ],
  [
    'invalidValue',
    'x509Certificates[0].value must be base64',
    at('x509Certificates', [{ value: '%' }]),
  ],
  [
    'invalidValue',
    'x509Certificates.value must be base64',
    at('x509Certificates[type eq "a"].value', '%', 'add'),
  ],
  ['invalidValue', `${THING}:weight must be a number`, at(`${THING}:weight`, '1')],
  ['invalidValue', `${THING}:made must be a dateTime`, at(`${THING}:made`, 'soon')],
  ['invalidValue', `${THING}:made must be a dateTime`, at(`${THING}:made`, 5)],
  ['invalidValue', 'name must be an object', at('name', 5)],
  ['invalidValue', `${THING}:owner must be an object`, at(`${THING}:owner`, [[]])],
  ['invalidValue', `${THING}:owner must be an object`, at(`${THING}:owner`, [['a']])],
  ['invalidValue', 'name.givenName must be a string', at('name', { givenName: 5 })],
  ['invalidValue', 'name.givenName must be a string', at('name.givenName', { a: 5 })],
  ['invalidValue', 'name.givenName ', at('name', { givenName: 'a', GIVENNAME: 'b' })],
  ['invalidValue', 'emails[1].value must', at('emails', [{ value: 'a' }, { value: 5 }])],
  ['invalidValue', 'addresses[0] must be an object', at('addresses', 'Oslo')],
  ['invalidValue', 'emails ', at('emails', [primary('a'), primary('b')])],
  ['invalidValue', 'emails.primary ', at('emails.primary', true)],
  ['invalidValue', 'emails ', at('emails[value pr]', { primary: true })],
  ['invalidValue', `${THING}:owner.value is required`, at(`${THING}:owner`, { since: 1 })],
  ['invalidValue', `${THING}:parts.value is required`, at(`${THING}:parts`, { count: 1 })],
  ['invalidValue', `${ENTERPRISE}:manager.value must`, at(`${ENTERPRISE}:manager`, 5)],
  ['invalidValue', 'title must be a string', at('title', {})],
  ['invalidValue', 'title must be a string', remove('title', ['a', 'b'])],
  ['mutability', 'schemas is required', remove('schemas')],
  ['mutability', 'userName is required', at('userName', null)],
  ['mutability', 'id is read-only', at('id', 'x')],
  ['mutability', 'meta.version is read-only', at('meta.version', 'x')],
  [
    'mutability',
    `${THING}:parts.state is read-only`,
    at(`${THING}:parts`, { value: 'p', state: 'x' }),
  ],
  [
    'mutability',
    `${THING}:parts.state is read-only`,
    at(`${THING}:parts`, { value: 'p', state: 'x' }, 'add'),
  ],
  ['mutability', `${THING}:serial has a value and cannot`, at(`${THING}:serial`, 's2')],
  ['mutability', `${THING}:serial has a value and cannot`, remove(`${THING}:serial`)],
  ['mutability', `${THING}:serial has a value and cannot be changed`, remove(THING)],
  ['mutability', `${USER_DEFINITION.id}:userName is required`, remove(USER_DEFINITION.id)],
  ['mutability', 'schemas is derived', at('schemas[value eq "urn:x"]', USER_DEFINITION.id)],
  ['noTarget', 'emails: no value matches', remove('emails[type eq "fax"]')],
  ['noTarget', 'emails: no value matches', remove('emails', [{ value: 'none' }])],
  ['noTarget', 'emails.type: no value matches', remove('emails.type', 'other')],
  ['noTarget', 'name.givenName: no value matches', remove('name.givenName', 'other')],
  ['noTarget', 'name: no value matches', remove('name', { givenName: 'other' })],
  ['noTarget', 'title: no value matches', remove('title', 'other')],
])(
  'a rejected PATCH is %s, and the message names the place: %s',
  (scimType, message, operation) => {
    const Operations = [at('title', 'Guide'), operation]
    const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
    const result = applyPatch(resource, operations, { definitions })
    expect(isFailure(result) && result.error).toMatchObject({ status: 400, scimType })
    expect(isFailure(result) && result.error.message).toContain(`Operations[1]: ${message}`)
  },
)
