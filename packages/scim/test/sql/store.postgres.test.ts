import { PGLITE } from './openers.ts'
import { proveStore } from './store-suite.ts'

proveStore('PostgreSQL in-process', PGLITE)
