import { defineFaults } from '../fault.ts'

export const CONCURRENCY_FAULTS = defineFaults([])
