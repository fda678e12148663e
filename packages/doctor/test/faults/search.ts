import { defineFaults } from '../fault.ts'

export const SEARCH_FAULTS = defineFaults([])
