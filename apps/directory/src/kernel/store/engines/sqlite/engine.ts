import type { Engine } from '../engine.ts'
import { faultOf, violatedKey } from './faults.ts'

/** SQLite, in a local file. */
export const SQLITE: Engine = {
  name: 'SQLite',
  form: { long: 'file:<path>', short: 'file:<path>' },
  accepts: (url) => url.startsWith('file:') && pathOf(url) !== '',
  describe: (url) => `file:${pathOf(url)}`,
  open: async (url) => (await import('./sqlite.ts')).openSqlite(pathOf(url)),
  migrate: async (url) => (await (await import('./sqlite.ts')).openSqlite(pathOf(url))).close(),
  pending: async (url) => (await import('./sqlite.ts')).pendingSqlite(pathOf(url)),
  distribute: null,
  backup: async (url, file) => (await import('./backup.ts')).backUp(pathOf(url), file),
  history: async (url) => (await import('./history.ts')).createFileHistory(pathOf(url)),
  faultOf,
  violatedKey,
}

function pathOf(url: string): string {
  return url.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
}
