import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Attribute, Definitions, Returned } from '../schema/types.ts'
import { project } from './project.ts'

// Properties over any definitions, their resources and any query. Every value is the name of its `returned`
// characteristic, so that a value shows whether it may be in a response.

type JsonObject = Record<string, unknown>

const CORE = 'urn:example:2.0:Thing'
const EXTENSION = 'urn:example:extension:2.0:Thing'

const returned = fc.constantFrom<Returned>('always', 'never', 'default', 'request')
const parts = fc
  .array(returned, { minLength: 1, maxLength: 3 })
  .map((all) =>
    all.map((one, at): Attribute => ({ name: `p${at}`, type: 'string', returned: one })),
  )
const attribute = fc.record({
  returned,
  multiValued: fc.boolean(),
  subAttributes: fc.option(parts, { nil: undefined }),
})
const attributes = (prefix: string) =>
  fc.array(attribute, { minLength: 1, maxLength: 4 }).map((all) =>
    all.map(({ subAttributes, ...rest }, at): Attribute => {
      const name = `${prefix}${at}`
      return subAttributes === undefined
        ? { name, type: 'string', ...rest }
        : { name, type: 'complex', ...rest, subAttributes }
    }),
  )

const scene = fc.tuple(attributes('a'), attributes('b')).chain(([core, extension]) => {
  const definitions: Definitions = {
    [CORE]: { id: CORE, name: 'Thing', attributes: core },
    [EXTENSION]: { id: EXTENSION, name: 'More', attributes: extension },
  }
  const resource = { schemas: [CORE], id: '1', ...valuesOf(core), [EXTENSION]: valuesOf(extension) }
  const names = [...pathsOf(core), ...pathsOf(extension, `${EXTENSION}:`), EXTENSION, CORE, 'x']
  const chosen = fc.subarray(names, { minLength: 1 })
  return fc.record({
    definitions: fc.constant(definitions),
    resource: fc.constant<JsonObject>(resource),
    query: fc.oneof(
      fc.constant({}),
      fc.record({ attributes: chosen }),
      fc.record({ excludedAttributes: chosen }),
    ),
  })
})

/** A value for each attribute. A part of an attribute that is never returned is never returned either. */
function valuesOf(all: readonly Attribute[], whole?: Returned): JsonObject {
  const entries = all.map(({ name, returned, multiValued, subAttributes }): [string, unknown] => {
    const when = whole === 'never' ? whole : returned
    const value = subAttributes ? valuesOf(subAttributes, when) : when
    return [name, multiValued ? [value, value] : value]
  })
  return Object.fromEntries(entries)
}

function pathsOf(all: readonly Attribute[], prefix = ''): string[] {
  return all.flatMap(({ name, subAttributes = [] }) => [
    `${prefix}${name}`,
    ...subAttributes.map((part) => `${prefix}${name}.${part.name}`),
  ])
}

/** Whether everything in one value is in the other, at the same place. */
function isPartOf(some: unknown, all: unknown): boolean {
  if (typeof some !== 'object' || some === null) return some === all
  return Object.entries(some).every(
    ([name, value]) => Object.hasOwn(Object(all), name) && isPartOf(value, Object(all)[name]),
  )
}

it('`never` attributes are never returned, and `always` attributes always are (RFC 7643 §7)', () => {
  fc.assert(
    fc.property(scene, ({ definitions, resource, query }) => {
      const left = project(resource, query, definitions)
      expect(JSON.stringify(left)).not.toContain('"never"')
      for (const { name, returned, type } of definitions[CORE]?.attributes ?? []) {
        if (returned === 'always' && type === 'string') expect(left).toHaveProperty(name)
      }
    }),
    { numRuns: 1_000 },
  )
})

it('an on-request attribute is returned only if it is named (RFC 7643 §7)', () => {
  fc.assert(
    fc.property(scene, ({ definitions, resource, query }) => {
      if ('attributes' in query) return
      expect(JSON.stringify(project(resource, query, definitions))).not.toContain('"request"')
    }),
    { numRuns: 1000 },
  )
})

it('project removes members, adds and changes none, and is idempotent', () => {
  fc.assert(
    fc.property(scene, ({ definitions, resource, query }) => {
      const before = structuredClone(resource)
      const left = project(resource, query, definitions)
      expect(resource).toStrictEqual(before)
      expect(isPartOf(left, resource)).toBe(true)
      expect(project(left, query, definitions)).toStrictEqual(left)
      expect(JSON.stringify(left)).not.toMatch(/\{\}|\[\]/)
    }),
    { numRuns: 1_000 },
  )
})
