import type { Extension } from './extension-rows.ts'
import { GROUP } from './group.ts'
import type { StoredType } from './stored-type.ts'
import { USER } from './user.ts'

/** Every resource type with its store, in the order of `RESOURCE_TYPES`. */
export const STORED_TYPES: readonly StoredType[] = [USER, GROUP]

/** Returns a tenant's resource types with its registered extensions. Without extensions, they are `STORED_TYPES`. */
export function extendTypes(extensions: readonly Extension[]): readonly StoredType[] {
  if (extensions.length === 0) return STORED_TYPES
  return STORED_TYPES.map((type) => {
    const own = extensions.filter(({ resourceType }) => resourceType === type.name)
    if (own.length === 0) return type
    const required = own.filter((one) => one.required)
    return {
      ...type,
      ...type.extend(own.map(({ definition }) => definition)),
      requiredExtensions: required.map(({ definition }) => definition.id),
    }
  })
}
