import { defineFaults } from '../fault.ts'

export const PAGING_FAULTS = defineFaults([])
