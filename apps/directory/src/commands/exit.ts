import type { Config } from '../config/config.ts'
import { describeDatabase } from '../store/open.ts'

/** A process's task, in the words of its error message. */
export type Aim =
  | 'start'
  | 'be filled'
  | 'be backed up'
  | 'be exported'
  | 'be migrated'
  | 'be distributed'

/** Prints an error in one line, and exits with code 1. */
export function stop(why: string, aim: Aim = 'start'): never {
  console.error(`The directory cannot ${aim}: ${why.replaceAll(/\s+/g, ' ')}`)
  process.exit(1)
}

/** Runs work on the database, and stops the process if it fails. */
export async function attempt<Value>(
  { database }: Pick<Config, 'database'>,
  work: () => Promise<Value>,
  aim: Aim = 'start',
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    return stop(
      `the database ${describeDatabase(database)} cannot be used: ${reasonOf(error)}`,
      aim,
    )
  }
}

/** The message of an error's root cause, in one line. */
export function reasonOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  const text = at instanceof Error ? at.message || String(Object(at).code ?? at.name) : String(at)
  return text.split('\n')[0] ?? text
}
