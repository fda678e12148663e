import { mariaDbServer, postgresServer } from './openers.ts'
import { proveStore } from './store-suite.ts'

proveStore('PostgreSQL', postgresServer('sql_store'))
proveStore('MariaDB', mariaDbServer('sql_store'))
