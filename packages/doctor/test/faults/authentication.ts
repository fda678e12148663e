import { defineFaults } from '../fault.ts'

export const AUTHENTICATION_FAULTS = defineFaults([])
