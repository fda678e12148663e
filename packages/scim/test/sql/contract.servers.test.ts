import { proveContract, provePooledContract } from './contract-suite.ts'
import { mariaDbServer, postgresServer } from './openers.ts'

proveContract('PostgreSQL', postgresServer('sql_contract'))
proveContract('MariaDB', mariaDbServer('sql_contract'))
provePooledContract('PostgreSQL', postgresServer('sql_pooled_contract'))
provePooledContract('MariaDB', mariaDbServer('sql_pooled_contract'))
