import type { DatabaseLocation } from './config.ts'

/** What a process was to do. */
export type Aim = 'start' | 'be filled'

/** Ends the process with exit code 1, and one clear line. */
export function stop(why: string, aim: Aim = 'start'): never {
  console.error(`The directory cannot ${aim}: ${why.replaceAll(/\s+/g, ' ')}`)
  process.exit(1)
}

/** Does work on the database, without which the process cannot go on. */
export async function attempt<Value>(
  { database }: { readonly database: DatabaseLocation },
  work: () => Promise<Value>,
  aim: Aim = 'start',
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    return stop(`the database ${nameOf(database)} cannot be used: ${reasonOf(error)}`, aim)
  }
}

/** What went wrong at the bottom of an error, in one line. */
export function reasonOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  const text = at instanceof Error ? at.message || String(Object(at).code ?? at.name) : String(at)
  return text.split('\n')[0] ?? text
}

/** A database as messages call it, without its password. */
function nameOf(database: DatabaseLocation): string {
  if (database.kind === 'sqlite') return `file:${database.path}`
  const { protocol, host, pathname } = new URL(database.url)
  return `${protocol}//${host}${pathname}`
}
