import { defineFaults } from '../fault.ts'

export const DELETE_FAULTS = defineFaults([])
