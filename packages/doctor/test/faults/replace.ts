import { defineFaults } from '../fault.ts'

export const REPLACE_FAULTS = defineFaults([])
