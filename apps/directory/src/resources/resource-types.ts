import { GROUP } from './group.ts'
import type { ResourceType } from './resource-type.ts'
import { USER } from './user.ts'

/** Every resource type, in the order of a search over all of them. */
export const RESOURCE_TYPES: readonly ResourceType[] = [USER, GROUP]
