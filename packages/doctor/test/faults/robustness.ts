import { defineFaults } from '../fault.ts'

export const ROBUSTNESS_FAULTS = defineFaults([])
