import { defineFaults } from '../fault.ts'

export const READ_FAULTS = defineFaults([])
