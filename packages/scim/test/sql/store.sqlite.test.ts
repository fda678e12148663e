import { SQLITE } from './openers.ts'
import { proveStore } from './store-suite.ts'

proveStore('SQLite', SQLITE)
