import { defineFaults } from '../fault.ts'

export const PATCH_ADD_FAULTS = defineFaults([])
