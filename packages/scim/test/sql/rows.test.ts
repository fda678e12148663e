import { PGLITE, SQLITE } from './openers.ts'
import { proveRows } from './rows-suite.ts'

proveRows('SQLite', SQLITE)
proveRows('PGlite', PGLITE)
