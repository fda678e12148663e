import { pickAttributes, USER_DEFINITION } from '@plumbline/scim/discovery'
import { describe, expect, it } from 'vitest'
import type { Attribute, ExaminedType } from './types.ts'
import { findVocabulary } from './vocabulary.ts'

function usersWith(...attributes: readonly Attribute[]): ExaminedType {
  const { id, name } = USER_DEFINITION
  const definitions = { [id]: { id, name, attributes } }
  return { name: 'User', endpoint: '/Users', schema: id, extensions: [], definitions }
}

const standard = (...paths: readonly string[]): ExaminedType =>
  usersWith(...pickAttributes(USER_DEFINITION, paths).attributes)

const USER_NAME: Attribute = { name: 'userName', type: 'string', uniqueness: 'server' }
const string = (name: string, rest: Partial<Attribute> = {}): Attribute =>
  ({ name, type: 'string', ...rest }) as Attribute

describe('the user strings that checks change', () => {
  it.each<[string, ExaminedType, string | undefined, string | undefined]>([
    ['the usual ones', usersWith(...USER_DEFINITION.attributes), 'displayName', 'title'],
    [
      'others in the core schema',
      usersWith(USER_NAME, string('team'), string('desk')),
      'team',
      'desk',
    ],
    [
      'name parts',
      standard('userName', 'name.givenName', 'name.familyName'),
      'name.givenName',
      'name.familyName',
    ],
    [
      'userName and the only other one',
      standard('userName', 'name.givenName'),
      'userName',
      'name.givenName',
    ],
    ['userName alone', standard('userName', 'active'), 'userName', undefined],
    [
      'a required one',
      usersWith(USER_NAME, string('displayName', { required: true })),
      'displayName',
      undefined,
    ],
    [
      'none that is read-only, unique, never returned, multi-valued or from a list of values',
      usersWith(
        { ...USER_NAME, mutability: 'immutable' },
        string('displayName', { mutability: 'readOnly' }),
        string('title', { uniqueness: 'server' }),
        string('nickName', { returned: 'never' }),
        string('userType', { multiValued: true }),
        string('state', { canonicalValues: ['on', 'off'] }),
      ),
      undefined,
      undefined,
    ],
    [
      'none whose name suggests a format',
      usersWith(USER_NAME, string('contactMail'), string('workPhone'), string('locale')),
      'userName',
      undefined,
    ],
  ])('checks change %s', (_, users, text, optional) => {
    expect(findVocabulary(users)).toMatchObject({ text, optional })
  })
})

describe('the other attributes changed in checks', () => {
  it("RFC 7643 §4.1 checks change a usual user's name and emails", () => {
    const { complex, list } = findVocabulary(usersWith(...USER_DEFINITION.attributes))
    expect(complex).toEqual({ path: 'name', parts: ['givenName', 'familyName'] })
    expect(list).toEqual({ path: 'emails', kinds: ['work', 'home', 'other'] })
  })

  it("checks change other declared attributes, with the schema's element types", () => {
    const parts = [string('value'), string('type', { canonicalValues: ['seat'] })]
    const list: Attribute = {
      name: 'desks',
      type: 'complex',
      multiValued: true,
      subAttributes: parts,
    }
    const office = {
      name: 'office',
      type: 'complex',
      subAttributes: [string('floor'), string('room')],
    }
    const found = findVocabulary(usersWith(USER_NAME, list, office as Attribute))
    expect(found.complex).toEqual({ path: 'office', parts: ['floor', 'room'] })
    expect(found.list).toEqual({ path: 'desks', kinds: ['seat'] })
  })

  it('checks need two strings, a value and a type, and no values with a format', () => {
    const phones = pickAttributes(USER_DEFINITION, ['phoneNumbers.value', 'phoneNumbers.type'])
    const users = usersWith(
      USER_NAME,
      ...phones.attributes,
      ...(standard('name.givenName').definitions[USER_DEFINITION.id]?.attributes ?? []),
    )
    expect(findVocabulary(users)).toMatchObject({ complex: undefined, list: undefined })
  })
})
