import { isJsonObject, type JsonObject } from '../json.ts'
import type { Attribute, ExaminedType } from '../model/types.ts'

/** A resource value that does not fit the attribute's definition. */
export interface ValueFault {
  /** The attribute's path, such as `emails.value`. */
  readonly path: string
  /** The declared form, such as `a boolean`. */
  readonly declared: string
  readonly value: unknown
}

/** Finds a value whose data type differs from the declared one (RFC 7643 §2.3). */
export function findTypeFault(type: ExaminedType, resource: JsonObject): ValueFault | null {
  return findFault(type, resource, ({ type: declared }, value) => {
    const values = Array.isArray(value) ? value : [value]
    const wrong = values.find((one) => !IS_TYPE[declared](one))
    return wrong === undefined
      ? null
      : { declared: `a value of the type ${declared}`, value: wrong }
  })
}

/** Finds a multi-valued attribute whose value is not a list, or a list in another attribute (RFC 7643 §2.4). */
export function findListFault(type: ExaminedType, resource: JsonObject): ValueFault | null {
  return findFault(type, resource, ({ multiValued = false }, value) =>
    Array.isArray(value) === multiValued
      ? null
      : { declared: multiValued ? 'a list' : 'a single value', value },
  )
}

type Judge = (attribute: Attribute, value: unknown) => Omit<ValueFault, 'path'> | null

function findFault(type: ExaminedType, resource: JsonObject, judge: Judge): ValueFault | null {
  for (const [urn, { attributes }] of Object.entries(type.definitions)) {
    const holder = urn === type.schema ? resource : resource[urn]
    const fault = isJsonObject(holder) ? findFaultIn(attributes, holder, judge) : null
    if (fault !== null) return fault
  }
  return null
}

function findFaultIn(
  attributes: readonly Attribute[],
  holder: JsonObject,
  judge: Judge,
): ValueFault | null {
  for (const attribute of attributes) {
    const { name, subAttributes = [] } = attribute
    const { [name]: value } = holder
    // RFC 7643 §2.5: null is the same as an absent attribute.
    if (value === undefined || value === null) continue
    const fault = judge(attribute, value)
    if (fault !== null) return { path: name, ...fault }
    for (const one of [value].flat()) {
      const inner = isJsonObject(one) ? findFaultIn(subAttributes, one, judge) : null
      if (inner !== null) return { ...inner, path: `${name}.${inner.path}` }
    }
  }
  return null
}

/** Whether a text is a valid xsd:dateTime with a date and a time (RFC 7643 §2.3.5). */
export function isDateTime(value: unknown): boolean {
  const isWritten =
    typeof value === 'string' &&
    /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/.test(value)
  return isWritten && !Number.isNaN(Date.parse(value))
}

const isString = (value: unknown): boolean => typeof value === 'string'

const IS_TYPE: Readonly<Record<Attribute['type'], (value: unknown) => boolean>> = {
  string: isString,
  reference: isString,
  binary: isString,
  boolean: (value) => typeof value === 'boolean',
  decimal: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  dateTime: isDateTime,
  complex: isJsonObject,
}
