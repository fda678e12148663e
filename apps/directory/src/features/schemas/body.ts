import type { Discovery } from '@plumbline/scim/discovery'
import { z } from 'zod'
import { RESOURCE_TYPES, TYPE_NAMES } from '../../kernel/resources/resource-types.ts'
import { text } from '../../shell/api/schemas.ts'
import type { Extension } from '../scim/extension-rows.ts'
import {
  checkAttributes,
  checkUrn,
  DEFAULT_TYPES,
  type Fault,
  inAnyCase,
  NAME,
  NOT_NAMES,
  NOT_PART_NAMES,
  PART_NAME,
  RESERVED,
  URN,
} from './faults.ts'

const description = text.max(2_000)

/** Attribute characteristics (RFC 7643 §7), with the defaults from §2.2. Unknown ones are rejected. */
const characteristics = {
  description: description.optional(),
  required: z.boolean().default(false),
  canonicalValues: z.array(text.min(1).max(200)).max(100).optional(),
  caseExact: z.boolean().default(false),
  mutability: z
    .enum(['readWrite', 'immutable', 'writeOnly'], {
      error: ({ input }) =>
        input === 'readOnly'
          ? 'must not be readOnly: no client could set the attribute'
          : 'must be readWrite, immutable or writeOnly',
    })
    .default('readWrite'),
  returned: z.enum(['always', 'never', 'default', 'request']).optional(),
  uniqueness: z
    .literal('none', { error: 'must be none: unique custom attributes are not supported' })
    .default('none'),
  referenceTypes: z.array(text.min(1).max(100)).max(20).optional(),
}
const SCALARS = ['boolean', 'decimal', 'integer', 'dateTime', 'binary'] as const
const SIMPLE = ['string', ...SCALARS, 'reference'] as const

const absent = { not: {} }
const empty = { maxItems: 0 }
/** Members an attribute's type allows and requires. `checkAttributes` reports what is wrong. */
const byType = (sub: Readonly<Record<string, object>>) => [
  {
    properties: { type: { const: 'string' }, referenceTypes: empty, ...sub },
    required: ['type'],
  },
  {
    properties: { type: { enum: SCALARS }, canonicalValues: absent, referenceTypes: empty, ...sub },
    required: ['type'],
  },
  {
    properties: {
      type: { const: 'reference' },
      canonicalValues: absent,
      ...sub,
      referenceTypes: { minItems: 1 },
    },
    required: ['type', 'referenceTypes'],
  },
]
const COMPLEX = {
  properties: {
    type: { const: 'complex' },
    canonicalValues: absent,
    referenceTypes: empty,
    subAttributes: { minItems: 1 },
  },
  required: ['type', 'subAttributes'],
}
/** RFC 7643 §7: a write-only attribute's value is never returned. */
const not = {
  properties: {
    mutability: { const: 'writeOnly' },
    returned: { enum: ['always', 'default', 'request'] },
  },
  required: ['mutability', 'returned'],
}
/** RFC 7643 §2.4: types for the default sub-attributes. */
const allOf = [...DEFAULT_TYPES].map(([name, type]) => ({
  not: {
    properties: { name: { pattern: `^${inAnyCase(name)}$` }, type: { not: { const: type } } },
    required: ['name', 'type'],
  },
}))
const nameOf = (pattern: RegExp, others: RegExp) =>
  z
    .string()
    .max(100)
    .meta({ pattern: pattern.source, not: { pattern: others.source } })

const SubAttribute = z
  .strictObject({
    ...characteristics,
    name: nameOf(PART_NAME, NOT_PART_NAMES),
    multiValued: z.literal(false, { error: 'must be false for a sub-attribute' }).default(false),
    type: z.enum(SIMPLE),
  })
  .meta({ id: 'SubAttribute', oneOf: byType({}), not, allOf })

const Attribute = z
  .strictObject({
    ...characteristics,
    name: nameOf(NAME, NOT_NAMES),
    multiValued: z.boolean().default(false),
    type: z.enum([...SIMPLE, 'complex']),
    subAttributes: z.array(SubAttribute).optional(),
  })
  .meta({ id: 'Attribute', oneOf: [...byType({ subAttributes: empty }), COMPLEX], not })

const schemaMembers = {
  id: z
    .string()
    .max(200)
    .meta({
      pattern: URN.source,
      not: { pattern: RESERVED.source },
      description: 'The URN of the schema, which does not overlap with those of other schemas',
    }),
  name: text.min(1).max(200),
  description: description.optional(),
}
const extensionMembers = {
  resourceType: z
    .enum(TYPE_NAMES)
    .meta({ description: 'The resource type that the schema extends' }),
  required: z.boolean().default(false).meta({
    description: 'Whether each resource of the type must have the extension (RFC 7643 §6)',
  }),
}

/** A schema resource (RFC 7643 §7), and the resource type it extends (§6). */
export const ExtensionBody = z
  .strictObject({
    ...extensionMembers,
    ...schemaMembers,
    schemas: z.array(text).max(10).optional().meta({ description: 'Ignored' }),
    meta: z.looseObject({}).optional().meta({ description: 'Ignored' }),
    attributes: z.array(Attribute).min(1),
  })
  .superRefine((body, { addIssue }) => {
    for (const { path, message } of faultsOf(body)) {
      addIssue({ code: 'custom', path: [...path], message })
    }
  })

/** A tenant's registered schema, with every characteristic written out. */
export const RegisteredExtension = z
  .object({ ...extensionMembers, ...schemaMembers, attributes: z.array(Attribute) })
  .meta({ id: 'ExtensionSchema' })

/** Converts a body to an extension. */
export function extensionOf(body: z.output<typeof ExtensionBody>): Extension {
  const { resourceType, required, id, name: title, description: about, attributes } = body
  return {
    resourceType,
    required,
    definition: {
      id,
      name: title,
      ...(about === undefined ? {} : { description: about }),
      attributes: attributes.map(attributeOf),
    },
  }
}

/** Converts a registered extension to its body. */
export function bodyOf({
  resourceType,
  required,
  definition,
}: Extension): z.output<typeof RegisteredExtension> {
  return RegisteredExtension.parse({ resourceType, required, ...definition })
}

function attributeOf(attribute: z.output<typeof Attribute>): Discovery.Attribute {
  const { subAttributes, returned, ...rest } = attribute
  return {
    ...rest,
    // RFC 7643 §7: a write-only attribute's value is not returned.
    returned: returned ?? (rest.mutability === 'writeOnly' ? 'never' : 'default'),
    ...(rest.type === 'complex' ? { subAttributes: (subAttributes ?? []).map(attributeOf) } : {}),
  }
}

function faultsOf({
  id,
  resourceType,
  attributes,
}: {
  readonly id: string
  readonly resourceType: string
  readonly attributes: readonly Discovery.Attribute[]
}): readonly Fault[] {
  const definitions = RESOURCE_TYPES.flatMap(({ definitions: all }) => Object.values(all))
  const extended = RESOURCE_TYPES.filter(({ name: one }) => one === resourceType)
  // Without a URN, a path names the core schema's attribute.
  const taken = extended.flatMap((type) =>
    Object.values(type.definitions)
      .slice(0, 1)
      .flatMap((core) => core.attributes.map((each) => each.name)),
  )
  return [
    ...checkUrn(
      id,
      definitions.map((one) => one.id),
    ),
    ...checkAttributes(attributes, taken),
  ]
}
