import { defineFaults } from '../fault.ts'

export const UNIQUENESS_FAULTS = defineFaults([])
