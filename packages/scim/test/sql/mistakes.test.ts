import { proveMistakes } from './mistakes-suite.ts'
import { SQLITE } from './openers.ts'

proveMistakes('SQLite', SQLITE)
