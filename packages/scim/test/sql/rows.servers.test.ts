import { mariaDbServer, postgresServer } from './openers.ts'
import { proveRows } from './rows-suite.ts'

proveRows('PostgreSQL', postgresServer('plumbline_rows'))
proveRows('MariaDB', mariaDbServer('plumbline_rows'))
