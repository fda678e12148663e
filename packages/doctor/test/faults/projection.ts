import { defineFaults } from '../fault.ts'

export const PROJECTION_FAULTS = defineFaults([])
