import type { Engine, Layout } from './engines/engine.ts'
import { ENGINES } from './engines/engines.ts'
import type { Store } from './store.ts'

/** The engine of a database URL; null if no engine accepts the URL. */
export function findEngine(url: string): Engine | null {
  return ENGINES.find((engine) => engine.accepts(url)) ?? null
}

/** Opens the database of a URL, and migrates it if necessary. Rejects one of which only a part is distributed. */
export async function openStore(url: string, layout?: Layout): Promise<Store> {
  return await engineFor(url).open(url, layout)
}

/** The database of a URL in messages, without the password. */
export function describeDatabase(url: string): string {
  return engineFor(url).describe(url)
}

/** The engine of a database URL the configuration accepts. */
export function engineFor(url: string): Engine {
  const engine = findEngine(url)
  if (engine === null) throw new TypeError('no database engine accepts the URL')
  return engine
}
