import { proveContract } from './contract-suite.ts'
import { SQLITE } from './openers.ts'

proveContract('SQLite', SQLITE)
