import { escapeControls } from '../features/imports/escape-controls.ts'
import { FailedMigrationError } from '../kernel/store/migrations/apply-migration.ts'
import { describeDatabase } from '../kernel/store/open.ts'
import { NewerSchemaError } from '../kernel/store/store.ts'
import type { Config } from './config.ts'

/** A process's task, in the error message's words. */
export type Aim =
  | 'start'
  | 'be filled'
  | 'be backed up'
  | 'be exported'
  | 'import the rows'
  | 'plan the run'
  | 'be migrated'
  | 'be distributed'
  | 'rotate its keys'
  | 'be renamed'

/** Ends the process: `main.ts` prints the message, which is one line, and exits with the code. */
export class StopError extends Error {
  override readonly name: string = 'StopError'
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** Throws the error that ends the process. */
export function stop(why: string, aim: Aim = 'start', code = 1): never {
  const line = escapeControls(why.replaceAll(/\s+/g, ' '))
  throw new StopError(`The directory cannot ${aim}: ${line}`, code)
}

/**
 * The exit code of a process whose database a newer version has migrated: another start of the same version fails, too.
 * `systemd/plumbline-directory.service` does not repeat it. The number is EX_CONFIG of sysexits.h.
 */
export const OUTDATED_CODE = 78

/** Runs work on the database, and stops the process if it fails. */
export async function attempt<Value>(
  { database }: Pick<Config, 'database'>,
  work: () => Promise<Value>,
  aim: Aim = 'start',
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StopError) throw error
    return stop(
      `the database ${describeDatabase(database)} cannot be used: ${reasonOf(error)}`,
      aim,
      error instanceof NewerSchemaError ? OUTDATED_CODE : 1,
    )
  }
}

/** Returns the message of an error's root cause, or of a failed migration, in one line. */
export function reasonOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) {
    if (at instanceof FailedMigrationError) break
    at = at.cause
  }
  const text = at instanceof Error ? at.message || String(Object(at).code ?? at.name) : String(at)
  return text.split('\n')[0] ?? text
}
