import { defineFaults } from '../fault.ts'

export const PATCH_REMOVE_FAULTS = defineFaults([])
