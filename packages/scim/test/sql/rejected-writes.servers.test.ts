import { mariaDbServer, postgresServer } from './openers.ts'
import { proveRejectedWrites } from './rejected-writes-suite.ts'

proveRejectedWrites('PostgreSQL', postgresServer('rejected_writes'))
proveRejectedWrites('MariaDB', mariaDbServer('rejected_writes'))
