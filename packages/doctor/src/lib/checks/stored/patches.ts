import type { Check } from '../../check.ts'
import { type JsonObject, memberAt } from '../../json.ts'
import {
  type Field,
  fieldsOf,
  isChangeable,
  readAttribute,
  writeAttribute,
} from '../../model/fields.ts'
import type { Attribute, ExaminedType } from '../../model/types.ts'
import { INTEROP_CLIENTS } from '../../profiles.ts'
import { RULES } from '../../rules.ts'
import { differences } from '../../toolkit/differences.ts'
import { skip } from '../../toolkit/finding.ts'
import { kindOf, sampleValue } from '../../toolkit/sample.ts'
import type { Server } from '../../toolkit/server.ts'
import { otherTypes } from '../declared/shelves.ts'
import { expectApplied } from './applied.ts'
import { createPlain } from './creates.ts'
import { isTyped } from './lists.ts'
import {
  changedValues,
  forEachWhole,
  freeFields,
  isOpen,
  isState,
  listsOf,
  placeOf,
  type Whole,
} from './wholes.ts'

/** Rules for changing values of each type with PATCH. */
export const STORED_PATCH_CHECKS: readonly Check[] = [
  {
    id: 'stored.patch-replace',
    ...RULES.patchReplaces,
    title: 'replace changes each single value that a schema declares, and that the server stored',
    needs: ['patch', 'write'],
    advice: 'Apply operations to every attribute of the schema, or declare it as read-only.',
    affects: { entra: 'Mapped attributes keep their first value.' },
    run: (server) =>
      forEachWhole(server, async (whole) => {
        const fields = changedValues(server, whole)
        if (fields.length === 0) return false
        await expectWritten(server, whole, 'replace', fields)
        for (const field of server.isThorough ? fields.slice(0, 3) : []) {
          await expectWritten(server, whole, 'replace', [field])
        }
        return true
      }),
  },
  {
    id: 'stored.patch-remove',
    ...RULES.unassigned,
    title: 'remove deletes each optional value that a schema declares, and that the server stored',
    needs: ['patch', 'write'],
    advice: 'Delete the value of every optional attribute. Declare those that stay as required.',
    affects: { entra: 'Values that were deleted in the directory stay in the application.' },
    run: (server) =>
      forEachWhole(server, async (whole) => {
        const fields = removableOf(changedValues(server, whole))
        if (fields.length > 0) await expectRemoved(server, whole, fields)
        return fields.length > 0
      }),
  },
  {
    id: 'stored.patch-add',
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'the attribute is added with the new value',
    title: 'add sets each optional value that a schema declares, and that was removed before',
    needs: ['patch', 'write', 'check:stored.patch-remove'],
    advice: 'Apply add to every attribute of the schema that does not have a value.',
    affects: { entra: 'Attributes that were empty before are never provisioned.' },
    run: (server) =>
      forEachWhole(
        server,
        async (whole) => {
          const fields = changedValues(server, whole).filter(({ attribute }) => !attribute.required)
          if (fields.length === 0) return false
          await expectRemoved(server, whole, fields)
          await expectWritten(server, whole, 'add', fields)
          return true
        },
        otherTypes(server, server.isThorough ? undefined : hasFree),
      ),
  },
  {
    id: 'stored.patch-members',
    notFor: INTEROP_CLIENTS,
    section: 'RFC 7644 §3.5.2.1',
    level: 'defined',
    quote: 'contains a set of attributes to be added',
    title: 'add and replace without a path set each attribute that the value has',
    needs: ['patch', 'write'],
    advice: 'Without a path, read the value as a part of the resource with each of its members.',
    run: (server) =>
      forEachWhole(
        server,
        async (whole) => {
          const { type } = whole
          const named = attributesOf(changedValues(server, whole))
          if (named.length === 0) return false
          const path = await createPlain(server, type)
          const all = server.isThorough ? openFields(type) : named
          const operations = [
            { op: 'add', value: membersOf(server, type, named) },
            { op: 'replace', value: membersOf(server, type, all) },
          ]
          for (const one of operations) await expectApplied(server, { type, path }, [one], named)
          return true
        },
        otherTypes(server, server.isThorough ? undefined : hasFree),
      ),
  },
  {
    id: 'stored.patch-lists',
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'the attribute and all values are replaced',
    title: 'replace, remove and add change the values of each list',
    needs: ['patch', 'write'],
    advice: 'Store the list as it is after the operation, and delete the rows of other values.',
    run: (server) =>
      forEachList(
        server,
        () => true,
        async (whole, field) => {
          const { path } = field
          const value = readAttribute(server.whole(whole.type), field)
          const [first, ...others] = Array.isArray(value) ? value : []
          const apply = (operation: { op: string; value?: unknown }): Promise<void> =>
            expectApplied(server, whole, [{ path, ...operation }], [field])
          await apply({ op: 'replace', value })
          if (field.attribute.required) return
          await apply({ op: 'remove' })
          await apply({ op: 'add', value: [first] })
          if (others.length > 0) await apply({ op: 'add', value: others })
        },
      ),
  },
  {
    id: 'stored.patch-parts',
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'sub-attribute of all matching records is replaced',
    title: 'replace changes the part of the value that a filter in the path selects',
    needs: ['patch', 'write'],
    advice: 'Store the values as they are after the operation, and not those of another column.',
    affects: { entra: 'It addresses each value of emails and phoneNumbers in this way.' },
    run: (server) =>
      forEachList(server, isTyped, async ({ type, path }, field) => {
        for (const { kind, part } of typedParts(field)) {
          const target = `${field.path}[type eq ${JSON.stringify(kind)}].${part.name}`
          const value = sampleValue(part, { number: 77, seed: 3 }, field.attribute)
          const operation = { op: 'replace', path: target, value }
          await expectApplied(server, { type, path }, [operation], [field])
        }
      }),
  },
  {
    id: 'stored.patch-selected',
    section: 'RFC 7644 §3.5.2.2',
    level: 'defined',
    quote: 'sub-attributes, the matching records are removed',
    title: 'remove deletes the value that a filter in the path selects',
    needs: ['patch', 'write'],
    advice: 'Delete the row of the value that is gone.',
    run: (server) =>
      forEachList(server, isTyped, async (whole, field) => {
        const [{ kind, part } = {}] = typedParts(field).filter((one) => one.part.name === 'value')
        if (part === undefined || field.attribute.required) return
        const path = `${field.path}[type eq ${JSON.stringify(kind)}]`
        if (server.isThorough) {
          const value = sampleValue(part, { number: 78, seed: 5 }, field.attribute)
          await expectApplied(server, whole, [{ op: 'remove', path: field.path }], [field])
          const operation = { op: 'add', path: `${path}.value`, value }
          await expectApplied(server, whole, [operation], [field])
        }
        await expectApplied(server, whole, [{ op: 'remove', path }], [field])
      }),
  },
]

/** Writes other values for the attributes, and requires them to be stored. */
async function expectWritten(
  server: Server,
  whole: Whole,
  op: string,
  fields: readonly Field[],
): Promise<void> {
  const next = server.whole(whole.type)
  const named = fields.filter((field) => memberAt(next, placeOf(field)) !== undefined)
  const operations = named.map((field) => ({
    op,
    path: field.path,
    value: memberAt(next, placeOf(field)),
  }))
  if (named.length > 0) await expectApplied(server, whole, operations, named)
}

/** Removes the optional attributes, and requires their values to be gone. */
async function expectRemoved(
  server: Server,
  whole: Whole,
  fields: readonly Field[],
): Promise<void> {
  const named = removableOf(fields)
  const operations = named.map(({ path }) => ({ op: 'remove', path }))
  if (named.length > 0) await expectApplied(server, whole, operations, named)
}

/** Returns the attributes a client may remove. Without any, returns the parts of complex attributes. */
function removableOf(fields: readonly Field[]): readonly Field[] {
  const optional = fields.filter((field) => field.attribute.required !== true && !isState(field))
  const attributes = optional.filter(({ parent }) => parent === null)
  return attributes.length > 0 ? attributes : optional
}

function hasFree(type: ExaminedType): boolean {
  return freeFields(type).length > 0
}

/** Returns the attributes; if only parts may be changed, the attributes around them. */
function attributesOf(fields: readonly Field[]): readonly Field[] {
  const attributes = fields.filter(({ parent }) => parent === null)
  if (attributes.length > 0) return attributes
  const complex = fields.flatMap(({ container, parent }) => (parent ? [{ container, parent }] : []))
  return complex
    .filter(({ parent }, at) => complex.findIndex((one) => one.parent === parent) === at)
    .map(({ container, parent }) => ({
      path: container === null ? parent.name : `${container}:${parent.name}`,
      container,
      parent: null,
      attribute: parent,
    }))
}

/** The attributes, without their parts, that a client may change. */
function openFields({ definitions }: ExaminedType): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ parent, attribute }) => parent === null && isOpen(attribute),
  )
}

/** Returns a part of a resource, with new values for the attributes. */
function membersOf(server: Server, type: ExaminedType, fields: readonly Field[]): JsonObject {
  const next = server.whole(type)
  const { schemas: _, ...members } = fields.reduce<JsonObject>(
    (value, field) => writeAttribute(value, field, readAttribute(next, field)),
    {},
  )
  return members
}

/** Examines each list the server stored as sent. */
async function forEachList(
  server: Server,
  isWanted: (field: Field) => boolean,
  examine: (whole: Whole, field: Field) => Promise<void>,
): Promise<void> {
  const wantedIn = (type: ExaminedType): readonly Field[] => listsOf(type).filter(isWanted)
  const types = otherTypes(server, (type) => wantedIn(type).length > 0)
  if (types.length === 0) skip('No resource type has such a list that a client can change.')
  await forEachWhole(
    server,
    async (whole) => {
      const stored = wantedIn(whole.type).filter(
        (field) => server.isThorough || differences([field], whole.sent, whole.stored).length === 0,
      )
      for (const field of stored) await examine(whole, field)
      return stored.length > 0
    },
    types,
  )
}

interface TypedPart {
  readonly part: Attribute
  readonly kind: string
}

/** The texts next to a `type`, and the first generated type. */
function typedParts({ attribute: { subAttributes = [] } }: Field): readonly TypedPart[] {
  const kinds = subAttributes.find(({ name }) => name === 'type')
  if (kinds === undefined) return []
  const parts = subAttributes.filter(
    (part) => /^(string|reference)$/.test(part.type) && part !== kinds && isChangeable(part),
  )
  return parts.map((part) => ({ part, kind: kindOf(kinds, 0) }))
}
