import type { JsonObject } from '../json.ts'
import { type Field, fieldsOf, targetsOf, writeAttribute } from '../model/fields.ts'
import { type ExaminedType, isWritable } from '../model/types.ts'
import type { Server } from './server.ts'

/**
 * Copies a resource with a new target for each reference, such as a group member or a user's manager. In a thorough
 * examination, a type the server lacks has a target, too.
 */
export async function withReferences(
  server: Server,
  type: ExaminedType,
  resource: JsonObject,
  isWanted: (field: Field) => boolean = () => true,
): Promise<JsonObject> {
  let complete = resource
  for (const field of referencesOf(type).filter(isWanted)) {
    const targets = targetsOf(field.attribute)
    const target = server.types.find(({ name }) => targets.includes(name))
    if (target === undefined && !server.isThorough) continue
    const id = target === undefined ? server.unique() : (await server.create(target.name)).id
    const reference = { value: id }
    const value = field.attribute.multiValued ? [reference] : reference
    complete = writeAttribute(complete, field, value)
  }
  return complete
}

/** The attributes that refer to other resources, if a client may write them. */
export function referencesOf({ definitions }: ExaminedType): readonly Field[] {
  return fieldsOf(definitions).filter(
    ({ parent, attribute }) =>
      parent === null && isWritable(attribute) && targetsOf(attribute).length > 0,
  )
}
