import { proveComparisons } from './column-types-suite.ts'
import { proveMistakes } from './mistakes-suite.ts'
import { mariaDbServer, postgresServer } from './openers.ts'

proveMistakes('PostgreSQL', postgresServer('plumbline_mistakes'))
proveMistakes('MariaDB', mariaDbServer('plumbline_mistakes'))
proveComparisons('PostgreSQL', postgresServer('plumbline_comparisons'))
