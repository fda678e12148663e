import type { ResourceType } from '../../kernel/resources/resource-type.ts'
import type { Extension } from './extension-rows.ts'
import { GROUP } from './group.ts'
import { USER } from './user.ts'

/** Every resource type, in the order used to search all of them. */
export const RESOURCE_TYPES: readonly ResourceType[] = [USER, GROUP]

/** The resource types' names. */
export const TYPE_NAMES: readonly string[] = RESOURCE_TYPES.map(({ name }) => name)

/** A resource type's table; null for an unknown name. */
export function tableOf(type: string | undefined): string | null {
  return RESOURCE_TYPES.find(({ name }) => name === type)?.table ?? null
}

/** Returns a tenant's resource types with its registered extensions. Without extensions, they are `RESOURCE_TYPES`. */
export function extendTypes(extensions: readonly Extension[]): readonly ResourceType[] {
  if (extensions.length === 0) return RESOURCE_TYPES
  return RESOURCE_TYPES.map((type) => {
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
