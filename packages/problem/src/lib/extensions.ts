import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'

/** A schema for extension members, convertible to JSON Schema. */
export type ExtensionsSchema = StandardSchemaV1 & StandardJSONSchemaV1

/** Schemas for extension members, by name. A member is optional if the schema accepts undefined. */
export type ExtensionsRecord = Readonly<Record<string, ExtensionsSchema>>

/** A problem type's extension members: one object schema, or a schema for each member. */
export type Extensions = ExtensionsSchema | ExtensionsRecord

/** The extension members a caller passes. */
export type ExtensionsInput<Of extends Extensions> = Of extends ExtensionsSchema
  ? StandardSchemaV1.InferInput<Of>
  : Of extends ExtensionsRecord
    ? Flat<
        { readonly [Name in RequiredName<Of>]: StandardSchemaV1.InferInput<Of[Name]> } & {
          readonly [Name in Exclude<keyof Of, RequiredName<Of>>]?: StandardSchemaV1.InferInput<
            Of[Name]
          >
        }
      >
    : never

type RequiredName<Of extends ExtensionsRecord> = {
  [Name in keyof Of]: undefined extends StandardSchemaV1.InferInput<Of[Name]> ? never : Name
}[keyof Of]

type Flat<Members> = { [Name in keyof Members]: Members[Name] }

/** The extension members a problem type declares. */
export interface DeclaredMembers {
  readonly names: ReadonlySet<string>
  /** Whether it also accepts other members, as a record does, or its members are not known. */
  readonly isOpen: boolean
}

/** Finds the members a record or an object schema declares. */
export function findDeclared(extensions: Extensions | undefined): DeclaredMembers {
  if (extensions === undefined) return { names: new Set(), isOpen: false }
  if (isSchema(extensions)) return findInSchema(extensions)
  return { names: new Set(Object.keys(extensions)), isOpen: false }
}

function isSchema(extensions: Extensions): extensions is ExtensionsSchema {
  return '~standard' in extensions
}

/** Finds an object schema's members, including those in `allOf` and references. */
function findInSchema(extensions: ExtensionsSchema): DeclaredMembers {
  const root = convertExtensions(extensions)
  const names = new Set<string>()
  let isObjectSchema = false
  let hasOthers = false
  const waiting = new Set<unknown>([root])
  // Iteration visits added parts too, and each part once.
  for (const part of waiting) {
    if (!isJsonObject(part)) continue
    const { $ref, properties, allOf, anyOf, oneOf } = part
    if (isJsonObject(properties)) {
      isObjectSchema = true
      for (const name of Object.keys(properties)) names.add(name)
    }
    const { additionalProperties = false, patternProperties } = part
    if (additionalProperties !== false || patternProperties !== undefined) hasOthers = true
    for (const combined of [allOf, anyOf, oneOf].flat()) waiting.add(combined)
    if (typeof $ref === 'string') waiting.add(findDefinition(root, $ref))
  }
  return { names, isOpen: hasOthers || !isObjectSchema }
}

/** Converts a schema. An inconvertible schema declares no members; building a document from it fails. */
function convertExtensions(extensions: ExtensionsSchema): Readonly<Record<string, unknown>> {
  try {
    return extensions['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  } catch {
    return {}
  }
}

/** Resolves a reference such as `#/$defs/Credit`. */
function findDefinition({ $defs }: Readonly<Record<string, unknown>>, reference: string): unknown {
  const key = reference.replace('#/$defs/', '').replaceAll('~1', '/').replaceAll('~0', '~')
  return isJsonObject($defs) && Object.hasOwn($defs, key) ? $defs[key] : undefined
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
