import { defineFaults } from '../fault.ts'

export const GROUPS_FAULTS = defineFaults([])
