import { proveContract } from './contract-suite.ts'
import { mariaDbServer, postgresServer } from './openers.ts'

proveContract('PostgreSQL', postgresServer('sql_contract'))
proveContract('MariaDB', mariaDbServer('sql_contract'))
