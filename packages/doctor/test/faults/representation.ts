import { defineFaults } from '../fault.ts'

export const REPRESENTATION_FAULTS = defineFaults([])
