import type { Engine, Layout } from './engines/engine.ts'
import { ENGINES } from './engines/engines.ts'
import type { Store } from './store.ts'

/** Finds the engine for a database URL; null if no engine accepts the URL. */
export function findEngine(url: string): Engine | null {
  return ENGINES.find((engine) => engine.accepts(url)) ?? null
}

/** Opens a URL's database, and migrates it if necessary. Rejects if the layout is only partly distributed. */
export async function openStore(url: string, layout?: Layout): Promise<Store> {
  return await engineFor(url).open(url, layout)
}

/** Describes a URL's database in messages, without the password. */
export function describeDatabase(url: string): string {
  return engineFor(url).describe(url)
}

/** Returns the engine for a database URL the configuration has accepted. */
export function engineFor(url: string): Engine {
  const engine = findEngine(url)
  if (engine === null) throw new TypeError('no database engine accepts the URL')
  return engine
}
