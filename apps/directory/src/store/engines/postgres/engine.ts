import type { Engine } from '../engine.ts'
import { distribute } from './distribute.ts'
import { faultOf, violatedKey } from './faults.ts'
import { openPostgres } from './postgres.ts'

/** PostgreSQL, and databases that speak its protocol. */
export const POSTGRES: Engine = {
  name: 'PostgreSQL',
  form: { long: 'postgres://user:password@host/name', short: 'postgres://…' },
  accepts: (url) => /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url),
  describe: (url) => {
    const { protocol, host, pathname } = new URL(url)
    return `${protocol}//${host}${pathname}`
  },
  open: openPostgres,
  distribute,
  // pg_dump does it.
  backup: null,
  faultOf,
  violatedKey,
}
