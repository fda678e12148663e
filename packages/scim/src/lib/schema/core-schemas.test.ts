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

describe('the definitions are those of RFC 7643 §8.7.1, attribute for attribute', () => {
  it.each(published)('%s', (name, definition, table) => {
    const rows = table
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).join(' '))
    expect(definition.name).toBe(name)
    expect(lines(definition.attributes)).toEqual(rows)
  })

  it('have the URNs of RFC 7643 §8.7.1', () => {
    expect(published.map(([, { id }]) => id)).toEqual([
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ])
  })
})

describe.each(published)('the definition of %s', (_, definition) => {
  const all = definition.attributes.flatMap((one) => [one, ...(one.subAttributes ?? [])])

  it('describes the schema and every attribute', () => {
    for (const { description } of [definition, ...all]) expect(description).toMatch(/\S/)
  })

  it('has sub-attributes exactly where an attribute is complex', () => {
    for (const { type, subAttributes } of all) {
      expect(subAttributes !== undefined).toBe(type === 'complex')
    }
  })

  it('has reference types exactly where an attribute is a reference', () => {
    for (const { type, referenceTypes } of all) {
      expect(referenceTypes !== undefined).toBe(type === 'reference')
    }
  })

  it('names each attribute once, whatever the letter case', () => {
    for (const { subAttributes } of [{ subAttributes: definition.attributes }, ...all]) {
      const names = (subAttributes ?? []).map(({ name }) => name.toLowerCase())
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it('writes out the characteristics that RFC 7643 §8.7.1 writes out', () => {
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
