import { describe, expect, it } from 'vitest'
import { GROUP_DEFINITION, USER_DEFINITION } from './core-schemas.ts'
import { pickAttributes } from './pick.ts'

function names(picked: readonly string[]): string[] {
  return pickAttributes(USER_DEFINITION, picked).attributes.flatMap(({ name, subAttributes }) =>
    subAttributes ? subAttributes.map((part) => `${name}.${part.name}`) : [name],
  )
}

describe('pickAttributes', () => {
  it.each<[string, string[], string[]]>([
    ['selects the named attributes', ['userName'], ['userName']],
    ["keeps the definition's order", ['active', 'userName'], ['userName', 'active']],
    ['accepts names in any letter case', ['USERNAME'], ['userName']],
    ['selects a part from a complex attribute', ['name.givenName'], ['name.givenName']],
    ['selects several parts', ['emails.TYPE', 'emails.value'], ['emails.value', 'emails.type']],
    ['selects a reference', ['groups.$ref'], ['groups.$ref']],
    ['selects a name once', ['title', 'Title'], ['title']],
    ['selects no attributes for an empty list of names', [], []],
    [
      'selects the whole if both are named',
      ['groups.value', 'groups'],
      ['groups.value', 'groups.$ref', 'groups.display', 'groups.type'],
    ],
  ])('pickAttributes %s', (_, picked, expected) => {
    expect(names(picked)).toEqual(expected)
  })

  it('pickAttributes keeps the characteristics, and does not change the definition', () => {
    const before = structuredClone(GROUP_DEFINITION)
    const narrow = pickAttributes(GROUP_DEFINITION, ['members.value'])
    const { attributes, ...rest } = narrow
    const [, members] = GROUP_DEFINITION.attributes
    expect(rest).toStrictEqual({ id: before.id, name: 'Group', description: before.description })
    expect(attributes).toStrictEqual([{ ...members, subAttributes: [members?.subAttributes?.[0]] }])
    expect(GROUP_DEFINITION).toStrictEqual(before)
  })

  it.each([
    'shoeSize',
    'name.shoeSize',
    'userName.value',
    '',
    'name.',
    'constructor',
    '__proto__',
    'name.constructor',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName',
  ])('pickAttributes throws for %j, which the definition does not contain', (name) => {
    expect(() => pickAttributes(USER_DEFINITION, ['userName', name])).toThrow(TypeError)
    expect(() => pickAttributes(USER_DEFINITION, [name])).toThrow(
      JSON.stringify(name.toLowerCase()),
    )
  })
})
