import { defineFaults } from '../fault.ts'

export const CURSORS_FAULTS = defineFaults([])
