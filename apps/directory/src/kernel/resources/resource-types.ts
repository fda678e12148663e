import { GROUP_TYPE } from './group-type.ts'
import type { ResourceType } from './resource-type.ts'
import { USER_TYPE } from './user-type.ts'

/** Every resource type, in the order used to search all of them. */
export const RESOURCE_TYPES: readonly ResourceType[] = [USER_TYPE, GROUP_TYPE]

/** The resource types' names. */
export const TYPE_NAMES: readonly string[] = RESOURCE_TYPES.map(({ name }) => name)

/** A resource type's table; null for an unknown name. */
export function tableOf(type: string | undefined): string | null {
  return RESOURCE_TYPES.find(({ name }) => name === type)?.table ?? null
}
