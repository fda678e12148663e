import { defineFaults } from '../fault.ts'

export const OKTA_FAULTS = defineFaults([])
