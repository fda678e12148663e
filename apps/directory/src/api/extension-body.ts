import type { Discovery } from '@plumbline/scim/discovery'
import { z } from 'zod'
import { RESOURCE_TYPES } from '../resources/resource-types.ts'
import type { Extension } from '../store/extensions/extension-rows.ts'
import { checkAttributes, checkUrn, type Fault } from './extension-faults.ts'
import { text } from './schemas.ts'

const name = text.max(100)
const description = text.max(2_000)

/** The characteristics of RFC 7643 §7, with the defaults of §2.2. An unknown one is rejected. */
const characteristics = {
  name,
  multiValued: z.boolean().default(false),
  description: description.optional(),
  required: z.boolean().default(false),
  canonicalValues: z.array(text.min(1).max(200)).max(100).optional(),
  caseExact: z.boolean().default(false),
  mutability: z.enum(['readOnly', 'readWrite', 'immutable', 'writeOnly']).default('readWrite'),
  returned: z.enum(['always', 'never', 'default', 'request']).optional(),
  uniqueness: z.enum(['none', 'server', 'global']).default('none'),
  referenceTypes: z.array(text.min(1).max(100)).max(20).optional(),
}
const SIMPLE = [
  'string',
  'boolean',
  'decimal',
  'integer',
  'dateTime',
  'reference',
  'binary',
] as const

const SubAttribute = z
  .strictObject({ ...characteristics, type: z.enum(SIMPLE) })
  .meta({ id: 'SubAttribute' })

const Attribute = z
  .strictObject({
    ...characteristics,
    type: z.enum([...SIMPLE, 'complex']),
    subAttributes: z.array(SubAttribute).optional(),
  })
  .meta({ id: 'Attribute' })

const schemaMembers = {
  id: text.max(200).meta({ description: 'The URN of the schema' }),
  name: text.min(1).max(200),
  description: description.optional(),
}
const extensionMembers = {
  resourceType: z
    .enum(['User', 'Group'])
    .meta({ description: 'The resource type that the schema extends' }),
  required: z.boolean().default(false).meta({
    description: 'Whether each resource of the type must have the extension (RFC 7643 §6)',
  }),
}

/** A schema resource of RFC 7643 §7, and the resource type that it extends (§6). */
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

/** A schema that a tenant has registered, with every characteristic written out. */
export const RegisteredExtension = z
  .object({ ...extensionMembers, ...schemaMembers, attributes: z.array(Attribute) })
  .meta({ id: 'ExtensionSchema' })

/** The extension that a body describes. */
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

/** The body of a registered extension. */
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
    // RFC 7643 §7: the value of a write-only attribute is not returned.
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
  // A path without a URN names the attribute of the core schema.
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
