import { defineFaults } from '../fault.ts'

export const ME_FAULTS = defineFaults([])
