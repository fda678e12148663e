import type { Engine } from '../engine.ts'
import { backUp } from './backup.ts'
import { faultOf, violatedKey } from './faults.ts'
import { openSqlite } from './sqlite.ts'

/** SQLite, in a file of this machine. */
export const SQLITE: Engine = {
  name: 'SQLite',
  form: { long: 'file:<path>', short: 'file:<path>' },
  accepts: (url) => url.startsWith('file:') && pathOf(url) !== '',
  describe: (url) => `file:${pathOf(url)}`,
  open: (url) => openSqlite(pathOf(url)),
  distribute: null,
  backup: (url, file) => backUp(pathOf(url), file),
  faultOf,
  violatedKey,
}

function pathOf(url: string): string {
  return url.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
}
