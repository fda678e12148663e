import { proveContract, proveDocumentContract } from './contract-suite.ts'
import { SQLITE } from './openers.ts'

proveContract('SQLite', SQLITE)
proveDocumentContract('SQLite', 'sqlite', SQLITE.open)
