import { defineFaults } from '../fault.ts'

export const ERRORS_FAULTS = defineFaults([])
