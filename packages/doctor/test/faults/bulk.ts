import { defineFaults } from '../fault.ts'

export const BULK_FAULTS = defineFaults([])
