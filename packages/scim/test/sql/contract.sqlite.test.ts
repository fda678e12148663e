import { useQuickDigests } from '../../../doctor/test/quick-digests.ts'
import { proveContract, proveDocumentContract } from './contract-suite.ts'
import { SQLITE } from './openers.ts'

useQuickDigests()
proveContract('SQLite', SQLITE)
proveDocumentContract('SQLite', 'sqlite', SQLITE.open)
