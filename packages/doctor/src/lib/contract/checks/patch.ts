import { isSuccess, unwrap } from '@plumbline/result'
import { applyPatch, parsePatch } from '@plumbline/scim/patch'
import { isJsonObject, own } from '../../json.ts'
import { type Field, isChangeable, readAttribute, targetsOf } from '../../model/fields.ts'
import { kindOf, sampleValue } from '../../model/generate.ts'
import { isReadable } from '../../model/types.ts'
import { comparedFields, differences, textOf, UNASSIGNED } from '../../toolkit/differences.ts'
import { type StoreCheck, some } from '../check.ts'
import { expectNone, expectStatus } from '../expectations.ts'
import { type Body, pathOf, type Served, type World } from '../world.ts'
import { patch } from './values.ts'

const WHOLE =
  'the endpoint applies the operations and calls replace with the whole resource: store all of it.'

/** Changes by PATCH. The expected result is that of `applyPatch`. */
export const PATCH_CHECKS: readonly StoreCheck[] = [
  {
    name: 'patch: replaces, removes and adds single values',
    section: 'RFC 7644 §3.5.2',
    advice: WHOLE,
    async run(world) {
      const changeable = world.types.filter((type) => singleFields(type).length > 0)
      for (const type of some(changeable, 'no single value can be changed')) {
        const { id } = await type.create('whole', 1)
        const next = await type.sample('whole', 2)
        const fields = singleFields(type).filter((field) => nextValue(next, field) !== undefined)
        const optional = fields.filter(({ attribute }) => !attribute.required)
        const removable = optional.filter(({ parent }) => parent === null)
        const write = (op: string, list: readonly Field[]): object =>
          patch(...list.map((field) => ({ op, path: field.path, value: nextValue(next, field) })))
        await change(world, type, id, write('replace', fields))
        if (removable.length === 0) continue
        await change(
          world,
          type,
          id,
          patch(...removable.map(({ path }) => ({ op: 'remove', path }))),
        )
        await change(world, type, id, write('add', optional))
      }
    },
  },
  {
    name: 'patch: changes one attribute and keeps the others',
    section: 'RFC 7644 §3.5.2',
    advice: WHOLE,
    async run(world) {
      for (const type of world.types) {
        const { id } = await type.create('whole', 1)
        const next = await type.sample('whole', 2)
        for (const field of singleFields(type).slice(0, 3)) {
          const value = nextValue(next, field)
          await change(world, type, id, patch({ op: 'replace', path: field.path, value }))
        }
      }
    },
  },
  {
    name: 'patch: writes the members of a value without a path',
    section: 'RFC 7644 §3.5.2.1',
    advice: WHOLE,
    async run(world) {
      for (const type of world.types) {
        const { id } = await type.create('minimal', 1)
        const fields = singleFields(type)
        const next = await type.sample('whole', 2)
        const value = Object.fromEntries(
          fields.map((field) => [field.path, nextValue(next, field)]),
        )
        await change(world, type, id, patch({ op: 'add', value }))
        const last = await type.sample('whole', 3)
        const members = Object.entries(last).filter(
          ([name]) => name !== 'schemas' && (isExtension(type, name) || isMutable(type, name)),
        )
        const changeable = members.map(([name, member]) => [
          name,
          changeablePart(type, name, member),
        ])
        await change(
          world,
          type,
          id,
          patch({ op: 'replace', value: Object.fromEntries(changeable) }),
        )
      }
    },
  },
  {
    name: 'patch: replaces, removes and adds the values of a list',
    section: 'RFC 7644 §3.5.2',
    advice: `${WHOLE} Delete the rows of the values that are gone.`,
    async run(world) {
      for (const [at, { type, field }] of lists(world).entries()) {
        const { id } = await type.create('varied', at + 3)
        const path = field.path
        const value = readAttribute(await type.sample('whole', 2), field)
        const [first, ...others] = Array.isArray(value) ? value : []
        await change(world, type, id, patch({ op: 'replace', path, value }))
        if (field.attribute.required) continue
        await change(world, type, id, patch({ op: 'remove', path }))
        await change(world, type, id, patch({ op: 'add', path, value: [first] }))
        if (others.length > 0)
          await change(world, type, id, patch({ op: 'add', path, value: others }))
      }
    },
  },
  {
    name: 'patch: changes the part of a value that a filter selects',
    section: 'RFC 7644 §3.5.2.3',
    advice:
      'store the values of the resource that replace gets. Do not take them from another attribute or column.',
    async run(world) {
      for (const [at, { type, field, part, kind }] of typedParts(world).entries()) {
        const { id } = await type.create('whole', at + 3)
        const path = `${field.path}[type eq ${JSON.stringify(kind)}].${part.attribute.name}`
        const value = sampleValue(part.attribute, { number: 77, seed: 3 }, field.attribute)
        await change(world, type, id, patch({ op: 'replace', path, value }))
      }
    },
  },
  {
    name: 'patch: adds and removes the value that a filter selects',
    section: 'RFC 7644 §3.5.2',
    advice: `${WHOLE} Delete the row of the value that is gone.`,
    async run(world) {
      for (const [at, { type, field, part, kind }] of typedParts(world, 'value').entries()) {
        const { id } = await type.create('varied', at + 3)
        const selected = `${field.path}[type eq ${JSON.stringify(kind)}]`
        const value = sampleValue(part.attribute, { number: 78, seed: 5 }, field.attribute)
        if (!field.attribute.required) {
          await change(world, type, id, patch({ op: 'remove', path: field.path }))
        }
        await change(world, type, id, patch({ op: 'add', path: `${selected}.value`, value }))
        if (!field.attribute.required) {
          await change(world, type, id, patch({ op: 'remove', path: selected }))
        }
      }
    },
  },
]

/** Sends a PATCH, and compares the resource with the result of `applyPatch`. */
export async function change(
  { send }: Pick<World, 'send'>,
  type: Served,
  id: string,
  body: object,
): Promise<void> {
  const { definitions } = type
  const before = await type.read(id)
  const operations = unwrap(parsePatch(body))
  const patched = applyPatch(before, operations, { definitions })
  const answer = await send('PATCH', pathOf(type.endpoint, id), body)
  if (!isSuccess(patched)) {
    expectStatus(answer, patched.error.status, patched.error.message)
    return
  }
  expectStatus(answer, [200, 204], 'the operations are valid')
  const after = await type.read(id)
  const lines = differences(type.fields, type.settle(patched.data, before), after)
  const unexpected = lines.length === 0 ? lines : await withoutDefaults(type, lines, after)
  expectNone(answer, unexpected, 'GET returns the result of the operations')
}

/** RFC 7644 §3.5.2.2: an attribute that is removed may have a default. */
async function withoutDefaults(
  type: Served,
  lines: readonly string[],
  after: Body,
): Promise<readonly string[]> {
  const byDefault = await type.defaults()
  const defaults = comparedFields(type.fields)
    .filter((field) => textOf(field, after) === textOf(field, byDefault))
    .map(({ path }) => `${path}: expected ${UNASSIGNED}, `)
  return lines.filter((line) => !defaults.some((start) => line.startsWith(start)))
}

/** The single values a client may change, and those in a complex value. */
export function singleFields({ fields }: Served): readonly Field[] {
  return fields.filter(
    ({ parent, attribute }) =>
      attribute.type !== 'complex' &&
      !attribute.multiValued &&
      isChangeable(attribute) &&
      isReadable(attribute) &&
      (parent === null ||
        (!parent.multiValued && isChangeable(parent) && targetsOf(parent).length === 0)),
  )
}

/** Returns the value that a resource has for an attribute or a sub-attribute. */
export function nextValue(resource: Body, { container, parent, attribute }: Field): unknown {
  if (parent === null) return readAttribute(resource, { container, attribute })
  const whole = readAttribute(resource, { container, attribute: parent })
  return isJsonObject(whole) ? own(whole, attribute.name) : undefined
}

function isExtension({ definitions }: Served, name: string): boolean {
  return Object.hasOwn(definitions, name)
}

function isMutable({ fields }: Served, name: string): boolean {
  return fields.some(
    ({ container, parent, attribute }) =>
      container === null &&
      parent === null &&
      attribute.name === name &&
      isChangeable(attribute) &&
      isReadable(attribute),
  )
}

/** An extension without its attributes a client cannot change. Another value is returned as it is. */
function changeablePart({ fields }: Served, name: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value
  const fixed = fields.filter(
    ({ container, parent, attribute }) =>
      container === name && parent === null && !isChangeable(attribute),
  )
  const names = new Set(fixed.map(({ attribute }) => attribute.name))
  return Object.fromEntries(Object.entries(value).filter(([member]) => !names.has(member)))
}

interface ListField {
  readonly type: Served
  readonly field: Field
}

/** The attributes with several values that do not refer to other resources. */
function lists({ types }: World): readonly ListField[] {
  const found = types.flatMap((type) =>
    type.fields
      .filter(
        ({ parent, attribute }) =>
          parent === null &&
          attribute.multiValued === true &&
          isChangeable(attribute) &&
          isReadable(attribute) &&
          targetsOf(attribute).length === 0,
      )
      .map((field) => ({ type, field })),
  )
  return some(found, 'no attribute that a client can change is multi-valued')
}

interface TypedPart extends ListField {
  readonly part: Field
  readonly kind: string
}

/** The sub-attributes next to a `type`, with the first generated type. */
function typedParts(world: World, only?: string): readonly TypedPart[] {
  const found = lists(world).flatMap(({ type, field }) => {
    const kinds = field.attribute.subAttributes?.find(({ name }) => name === 'type')
    if (kinds === undefined || !isChangeable(kinds)) return []
    const parts = type.fields.filter(
      ({ parent, attribute: { name, type: of, ...rest } }) =>
        parent === field.attribute &&
        (of === 'string' || of === 'reference') &&
        name !== 'type' &&
        (only === undefined || name === only) &&
        isChangeable({ name, type: of, ...rest }),
    )
    return parts.map((part) => ({ type, field, part, kind: kindOf(kinds, 0) }))
  })
  return some(found, 'no value of a list has a type')
}
