import { describe, expect, it } from 'vitest'
import { enterprise, group, user } from './core-schemas.cases.ts'
import { ENTERPRISE_USER_DEFINITION, GROUP_DEFINITION, USER_DEFINITION } from './core-schemas.ts'
import type { Attribute, SchemaDefinition } from './types.ts'

const published: readonly (readonly [string, SchemaDefinition, string])[] = [
  ['User', USER_DEFINITION, user],
  ['Group', GROUP_DEFINITION, group],
  ['EnterpriseUser', ENTERPRISE_USER_DEFINITION, enterprise],
]

/** The expected line of the table for an attribute. */
function lines(attributes: readonly Attribute[], parent = ''): string[] {
  return attributes.flatMap((attribute) => {
    const { type, multiValued, required, caseExact, mutability, returned, uniqueness } = attribute
    const name = `${parent}${attribute.name}`
    const { canonicalValues = [], referenceTypes = [] } = attribute
    const line = [
      name,
      `${type}${multiValued ? '[]' : ''}`,
      required ? 'required' : '-',
      caseExact ? 'caseExact' : '-',
      mutability,
      returned,
      uniqueness ?? '-',
      ...(canonicalValues.length > 0 ? ['=', ...canonicalValues] : []),
      ...(referenceTypes.length > 0 ? ['>', ...referenceTypes] : []),
    ].join(' ')
    return [line, ...lines(attribute.subAttributes ?? [], `${name}.`)]
  })
}

describe('the definitions in RFC 7643 §8.7.1', () => {
  it.each(published)(
    'the definition of %s matches the RFC, attribute for attribute',
    (name, definition, table) => {
      const rows = table
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/).join(' '))
      expect(definition.name).toBe(name)
      expect(lines(definition.attributes)).toEqual(rows)
    },
  )

  it('the definitions have the RFC 7643 §8.7.1 URNs', () => {
    expect(published.map(([, { id }]) => id)).toEqual([
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ])
  })
})

describe.each(published)('the definition for %s', (_, definition) => {
  const all = definition.attributes.flatMap((one) => [one, ...(one.subAttributes ?? [])])

  it('the schema and every attribute have a description', () => {
    for (const { description } of [definition, ...all]) expect(description).toMatch(/\S/)
  })

  it('exactly the complex attributes have sub-attributes', () => {
    for (const { type, subAttributes } of all) {
      expect(subAttributes !== undefined).toBe(type === 'complex')
    }
  })

  it('exactly the reference attributes have reference types', () => {
    for (const { type, referenceTypes } of all) {
      expect(referenceTypes !== undefined).toBe(type === 'reference')
    }
  })

  it('each attribute name is unique, whatever the letter case', () => {
    for (const { subAttributes } of [{ subAttributes: definition.attributes }, ...all]) {
      const names = (subAttributes ?? []).map(({ name }) => name.toLowerCase())
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it('the characteristics written out in RFC 7643 §8.7.1 are written out', () => {
    for (const attribute of all) {
      const hasCase = !['boolean', 'complex'].includes(attribute.type)
      expect(Object.hasOwn(attribute, 'caseExact'), attribute.name).toBe(hasCase)
      expect(attribute.canonicalValues, attribute.name).not.toEqual([])
      for (const name of ['multiValued', 'required', 'mutability', 'returned'] as const) {
        expect(attribute[name], `${attribute.name} ${name}`).not.toBeUndefined()
      }
    }
  })
})
