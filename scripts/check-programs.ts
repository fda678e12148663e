/** Fails for each program that serves SCIM, and that a user should not deploy as it is: the rules of `programs/rules.ts`. */
import { readPrograms, readProjects } from './programs/programs.ts'
import { faultsOf } from './programs/rules.ts'

const programs = [...readPrograms(), ...readProjects()]
const faults = faultsOf(programs)
for (const fault of faults) console.log(fault)
process.exitCode = programs.length > 0 && faults.length === 0 ? 0 : 1
