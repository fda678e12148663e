import { readFileSync } from 'node:fs'
import { failure, type Result, success } from '@plumbline/result'

/** A process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Thrown if a variable's file cannot be used. */
export class SecretFileError extends Error {
  override readonly name: string = 'SecretFileError'
}

/** Variables that a file may contain, such as a mounted secret or a systemd credential. */
export const SECRETS = ['DIRECTORY_TOKEN', 'DATABASE_URL'] as const

/**
 * Adds variables from files, each named in a variable with the suffix `_FILE`. White space around the content is
 * removed. Fails if a variable has both, or if the file is empty or cannot be read.
 */
export function readSecretFiles(env: Environment): Result<Environment, SecretFileError> {
  const found: Record<string, string> = {}
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) {
      return failure(new SecretFileError(`${name} and ${name}_FILE are both set; set only one`))
    }
    const text = contentOf(file)
    if (!text) {
      const state = text === null ? 'cannot be read' : 'is empty'
      return failure(new SecretFileError(`the file ${file} of ${name}_FILE ${state}`))
    }
    found[name] = text
  }
  return success({ ...env, ...found })
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
