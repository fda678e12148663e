import { isFailure, isSuccess, unwrap } from '@plumbline/result'
import { PATCH_OP_SCHEMA, project } from '@plumbline/scim'
import { type Discovery, schemas } from '@plumbline/scim/discovery'
import { compileFilter, type Filter, parseFilter } from '@plumbline/scim/filter'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPERATORS_OF_TYPE } from '../src/lib/filter/operators.cases.ts'

// The law of the library: it behaves as `/Schemas` advertises. The definitions are read back from
// the published document, so that the test uses only the information that a client has.

const URN = 'urn:example:schemas:Thing'

type Type = Discovery.AttributeType

const simple = fc.record(
  {
    type: fc.constantFrom<Type>(
      'string',
      'boolean',
      'integer',
      'decimal',
      'dateTime',
      'reference',
      'binary',
    ),
    multiValued: fc.boolean(),
    caseExact: fc.boolean(),
    mutability: fc.constantFrom('readWrite', 'readOnly', 'immutable', 'writeOnly'),
    returned: fc.constantFrom('always', 'default', 'request', 'never'),
  },
  { requiredKeys: ['type', 'multiValued', 'mutability', 'returned'] },
)

const complex = fc.record({
  type: fc.constant<Type>('complex'),
  multiValued: fc.boolean(),
  mutability: fc.constantFrom('readWrite', 'readOnly', 'immutable'),
  returned: fc.constantFrom('always', 'default', 'request', 'never'),
  subAttributes: fc.array(simple, { minLength: 1, maxLength: 3 }).map((parts) =>
    // The parts that are not returned are the subject of project.property.test.ts.
    parts.map((part, at) => ({
      ...part,
      mutability: part.mutability === 'writeOnly' ? 'readWrite' : part.mutability,
      multiValued: false,
      returned: 'default',
      name: `part${at}`,
    })),
  ),
})

/** Definitions as a client reads them from `/Schemas`. */
const advertised = fc
  .array(fc.oneof({ weight: 2, arbitrary: simple }, complex), { minLength: 1, maxLength: 5 })
  .map((parts) => {
    const attributes = parts.map((part, at) => ({ ...part, name: `attribute${at}` }))
    const definition = { id: URN, name: 'Thing', attributes } as Discovery.SchemaDefinition
    const document = JSON.parse(JSON.stringify(schemas({ [URN]: definition })))
    const [published] = document.Resources as [Discovery.SchemaDefinition]
    return { [URN]: published }
  })

const VALUES: Readonly<Record<Exclude<Type, 'complex'>, readonly unknown[]>> = {
  string: ['one', 'two'],
  reference: ['https://example.com/1', 'https://example.com/2'],
  binary: ['aGk=', 'aG8='],
  boolean: [true, false],
  integer: [1, 2],
  decimal: [1.5, 2.5],
  dateTime: ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
}

describe('the library behaves as /Schemas advertises', () => {
  it("each attribute's filter accepts only the operators for its type (RFC 7644 §3.4.2.2)", () => {
    fc.assert(
      fc.property(advertised, (definitions) => {
        for (const { path, type } of pathsOf(definitions)) {
          expect(isSuccess(compileFilter(filterOf(`${path} pr`), { definitions }))).toBe(true)
          if (type === 'complex') continue
          for (const operator of OPERATORS_OF_TYPE.string) {
            for (const of of Object.keys(VALUES) as (keyof typeof VALUES)[]) {
              const text = `${path} ${operator} ${JSON.stringify(VALUES[of][0])}`
              const compiled = compileFilter(filterOf(text), { definitions })
              const isOfType = typeof VALUES[of][0] === typeof VALUES[type][0]
              // Only strings in one format are a dateTime.
              const fits = isOfType && (type !== 'dateTime' || of === 'dateTime')
              const takes = fits && OPERATORS_OF_TYPE[type].includes(operator)
              expect([text, isSuccess(compiled)]).toEqual([text, takes])
              if (!takes)
                expect(isFailure(compiled) && compiled.error.scimType).toBe('invalidFilter')
            }
          }
        }
      }),
    )
  })

  it('PATCH keeps read-only and assigned immutable attributes as they are (RFC 7643 §7)', () => {
    fc.assert(
      fc.property(advertised, fc.constantFrom('add', 'replace', 'remove'), (definitions, op) => {
        const resource = resourceOf(definitions, 0)
        for (const attribute of definitions[URN]?.attributes ?? []) {
          const { name, mutability } = attribute
          if (mutability !== 'readOnly' && mutability !== 'immutable') continue
          const value = sampleOf(attribute, 1)
          const operation = op === 'remove' ? { op, path: name } : { op, path: name, value }
          const operations = unwrap(
            parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations: [operation] }),
          )
          const patched = applyPatch(resource, operations, { definitions })
          const after = isFailure(patched) ? resource[name] : patched.data[name]
          expect(after).toEqual(resource[name])
          if (isFailure(patched)) expect(patched.error.scimType).toBe('mutability')
        }
      }),
    )
  })

  it('PATCH writes every attribute advertised as writable, with a value of its type', () => {
    fc.assert(
      fc.property(advertised, (definitions) => {
        const resource = { schemas: [URN] }
        for (const attribute of definitions[URN]?.attributes ?? []) {
          if (attribute.mutability === 'readOnly' || hasReadOnlyPart(attribute)) continue
          const { name } = attribute
          const value = sampleOf(attribute, 1)
          const Operations = [{ op: 'add', path: name, value }]
          const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
          expect(unwrap(applyPatch(resource, operations, { definitions }))[name]).toEqual(value)
        }
      }),
    )
  })

  it('projections: never is never seen, always is always, request on request (RFC 7643 §7)', () => {
    fc.assert(
      fc.property(advertised, (definitions) => {
        const resource = resourceOf(definitions, 0)
        const plain = project(resource, {}, definitions)
        for (const { name, mutability, returned } of definitions[URN]?.attributes ?? []) {
          // RFC 7643 §7: the value of a write-only attribute is not returned.
          const rule = mutability === 'writeOnly' ? 'never' : String(returned)
          const projected = project(resource, { attributes: [name] }, definitions)
          const other = project(resource, { attributes: ['id'] }, definitions)
          const excluded = project(resource, { excludedAttributes: [name] }, definitions)
          const seen = [plain, projected, other, excluded].map((one) => Object.hasOwn(one, name))
          expect([name, returned, ...seen]).toEqual([name, returned, ...(RETURNED[rule] ?? [])])
        }
      }),
    )
  })
})

/** Whether an attribute is in a response: by default, if it is requested, if another one is requested, if it is excluded. */
const RETURNED: Readonly<Record<string, readonly boolean[]>> = {
  always: [true, true, true, true],
  default: [true, true, false, false],
  request: [false, true, false, false],
  never: [false, false, false, false],
}

function pathsOf(definitions: Discovery.Definitions) {
  return (definitions[URN]?.attributes ?? []).flatMap(({ name, type, subAttributes = [] }) => [
    { path: name, type },
    ...subAttributes.map((part) => ({ path: `${name}.${part.name}`, type: part.type })),
  ])
}

function resourceOf(definitions: Discovery.Definitions, at: number): Record<string, unknown> {
  const attributes = definitions[URN]?.attributes ?? []
  const members = attributes.map((attribute) => [attribute.name, sampleOf(attribute, at)])
  return { schemas: [URN], id: '1', ...Object.fromEntries(members) }
}

function sampleOf(attribute: Discovery.Attribute, at: number): unknown {
  const { type, multiValued, subAttributes = [] } = attribute
  const value =
    type === 'complex'
      ? Object.fromEntries(subAttributes.map((part) => [part.name, sampleOf(part, at)]))
      : VALUES[type][at]
  return multiValued ? [value] : value
}

function hasReadOnlyPart({ subAttributes = [] }: Discovery.Attribute): boolean {
  return subAttributes.some(({ mutability }) => mutability === 'readOnly')
}

function filterOf(text: string): Filter.Expression {
  return unwrap(parseFilter(text))
}
