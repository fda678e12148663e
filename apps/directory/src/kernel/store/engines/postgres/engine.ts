import type { Engine } from '../engine.ts'
import { faultOf, violatedKey } from './faults.ts'

/** PostgreSQL, and databases with the same wire protocol. */
export const POSTGRES: Engine = {
  name: 'PostgreSQL',
  form: { long: 'postgres://user:password@host/name', short: 'postgres://…' },
  accepts: (url) => /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url),
  describe: (url) => {
    const { protocol, host, pathname } = new URL(url)
    return `${protocol}//${host}${pathname}`
  },
  open: async (url, layout) => (await import('./postgres.ts')).openPostgres(url, { layout }),
  migrate: async (url) => (await import('./migrate.ts')).migratePostgres(url),
  pending: async (url) => (await import('./migrate.ts')).pendingPostgres(url),
  distribute: async (url, layout) => (await import('./distribute.ts')).distribute(url, layout),
  // pg_dump does it.
  backup: null,
  history: async () => (await import('./history.ts')).createClusterHistory(),
  faultOf,
  violatedKey,
}
