import { defineFaults } from '../fault.ts'

export const SORTING_FAULTS = defineFaults([])
