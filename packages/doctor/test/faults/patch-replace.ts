import { defineFaults } from '../fault.ts'

export const PATCH_REPLACE_FAULTS = defineFaults([])
