import { SQLITE } from '../sql/openers.ts'
import { proveTenants } from './tenants-suite.ts'

proveTenants('SQLite', SQLITE)
