import { isJsonObject, own } from '../json.ts'
import { type Field, readAttribute } from '../model/fields.ts'

type Body = Record<string, unknown>

/** Copies the current resource's immutable values to the body, because a client cannot change them (RFC 7643 §7). */
export function withImmutable(
  fields: readonly Field[],
  body: Readonly<Body>,
  current: Readonly<Body>,
): Body {
  const result = structuredClone(body)
  for (const field of fields) {
    if (field.attribute.mutability !== 'immutable') continue
    if (field.parent === null) keepAttribute(result, current, field)
    else keepPart(result, current, { ...field, attribute: field.parent }, field.attribute.name)
  }
  return result
}

type Place = Pick<Field, 'container' | 'attribute'>

function keepAttribute(body: Body, current: Body, { container, attribute }: Place): void {
  const value = readAttribute(current, { container, attribute })
  const holder = container === null ? body : (own(body, container) ?? {})
  if (!isJsonObject(holder)) return
  if (container !== null && value !== undefined) body[container] = holder
  if (value === undefined) delete holder[attribute.name]
  else holder[attribute.name] = value
}

/** Keeps a part of a complex attribute. A list's elements are replaced as a whole. */
function keepPart(body: Body, current: Body, whole: Place, part: string): void {
  const [from, to] = [readAttribute(current, whole), readAttribute(body, whole)]
  // An undefined part is not sent.
  if (isJsonObject(from) && isJsonObject(to)) to[part] = own(from, part)
}
