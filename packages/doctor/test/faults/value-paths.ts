import { defineFaults } from '../fault.ts'

export const VALUE_PATHS_FAULTS = defineFaults([])
