import { defineFaults } from '../fault.ts'

export const ENTRA_FAULTS = defineFaults([])
