import type { Discovery } from '@plumbline/scim/discovery'
import type { Extension } from '../scim/extension-rows.ts'

/** A condition on stored resources under which a schema cannot be changed. */
export interface ChangeRule {
  /** Completes "users that …". */
  readonly reason: string
  /** Whether a resource's extension, undefined if it does not have it, prevents the change. */
  readonly isBroken: (extension: unknown) => boolean
}

/**
 * Returns the rules for a schema change, so the stored values stay valid and readable. Null is an unregistered
 * schema. The resource type must be the same.
 */
export function rulesFor(before: Extension | null, after: Extension | null): readonly ChangeRule[] {
  const isRequired = after?.required === true && before?.required !== true
  const missing = { reason: 'do not have the extension', isBroken: isUndefined }
  const rules = isRequired ? [missing] : []
  if (before === null) return rules
  if (after === null) return [{ reason: 'have the extension', isBroken: isDefined }]
  const [old, next] = [before.definition.attributes, after.definition.attributes]
  return [...rules, ...attributeRules(old, next, { place: '', valuesIn: valuesOf })]
}

/** The objects that contain the attributes, and their place in messages. */
interface Container {
  readonly place: string
  readonly valuesIn: (extension: unknown) => readonly object[]
}

function attributeRules(
  before: readonly Discovery.Attribute[],
  after: readonly Discovery.Attribute[],
  container: Container,
): readonly ChangeRule[] {
  const [old, next] = [byName(before), byName(after)]
  const ofOld = before.flatMap((attribute) =>
    rulesOfOld(attribute, next.get(attribute.name) ?? null, container),
  )
  const required = after.filter(
    ({ name, required: isRequired }) => isRequired && old.get(name)?.required !== true,
  )
  return [...ofOld, ...required.map(({ name }) => missingRule(name, container))]
}

/** Returns the rules for a kept, changed or removed attribute. */
function rulesOfOld(
  before: Discovery.Attribute,
  after: Discovery.Attribute | null,
  container: Container,
): readonly ChangeRule[] {
  const { name } = before
  const { place, valuesIn } = container
  const conflict = {
    reason: `have a value of ${place}${name}`,
    isBroken: (extension: unknown) => valuesIn(extension).some((one) => Object.hasOwn(one, name)),
  }
  if (after === null || isIncompatible(before, after)) return [conflict]
  return attributeRules(before.subAttributes ?? [], after.subAttributes ?? [], {
    place: `${place}${name}.`,
    valuesIn: (extension) =>
      valuesIn(extension).flatMap((one) => valuesOf(Object.entries(one).find(isNamed)?.[1])),
  })

  function isNamed([member]: readonly [string, unknown]): boolean {
    return member === name
  }
}

function missingRule(name: string, { place, valuesIn }: Container): ChangeRule {
  return {
    reason: `do not have a value of ${place}${name}`,
    isBroken: (extension) => valuesIn(extension).some((one) => !Object.hasOwn(one, name)),
  }
}

/** Whether stored values would have another meaning, or secret values would be returned. */
function isIncompatible(before: Discovery.Attribute, after: Discovery.Attribute): boolean {
  return (
    before.type !== after.type ||
    before.multiValued !== after.multiValued ||
    before.caseExact !== after.caseExact ||
    (before.returned === 'never' && after.returned !== 'never')
  )
}

/** A complex attribute's values, or an extension. */
function valuesOf(value: unknown): readonly object[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one): one is object => typeof one === 'object' && one !== null)
}

function byName(
  attributes: readonly Discovery.Attribute[],
): ReadonlyMap<string, Discovery.Attribute> {
  return new Map(attributes.map((attribute) => [attribute.name, attribute]))
}

function isDefined(value: unknown): boolean {
  return value !== undefined
}

function isUndefined(value: unknown): boolean {
  return value === undefined
}
