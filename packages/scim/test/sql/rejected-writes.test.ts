import { SQLITE } from './openers.ts'
import { proveRejectedWrites } from './rejected-writes-suite.ts'

proveRejectedWrites('SQLite', SQLITE)
