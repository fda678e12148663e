import { FAULTS } from './faults.ts'
import { proveTopics } from './prove.ts'

// The topics are divided between two files, which the workers run at the same time.
proveTopics(Object.keys(FAULTS).filter((_, at) => at % 2 === 0))
