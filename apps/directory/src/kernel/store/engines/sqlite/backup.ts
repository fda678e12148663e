import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { requireOwnFile } from './own-file.ts'
import { openFile } from './sqlite-file.ts'

/**
 * Copies a SQLite database into a new file while other processes read and write it. The copy is a snapshot from
 * one moment. It is complete and readable only by its user when it gets its name, and is never left
 * half-written. Rejects if the file exists, if the database does not, or if the copy is damaged.
 */
export async function backUp(path: string, file: string): Promise<void> {
  if (!existsSync(path)) throw new Error(`${path} does not exist`)
  requireOwnFile(path)
  if (existsSync(file)) throw new Error(`${file} already exists`)
  const folder = `${file}.partial`
  const partial = join(folder, 'copy')
  // In a removed folder, the other thread cannot create a file again.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  // An exit would wait until the other thread has copied the whole file.
  const interrupt = (signal: NodeJS.Signals): void => {
    remove()
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, interrupt)
  try {
    // This rejects a folder in which another backup is written.
    mkdirSync(folder, { mode: 0o700 })
    try {
      await copy(path, partial)
      chmodSync(partial, 0o600)
      sync(partial)
      renameSync(partial, file)
    } finally {
      remove()
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

async function copy(path: string, file: string): Promise<void> {
  const source = openFile(path, { busyTimeout: 5_000, cache: 2_000, readOnly: true })
  try {
    // In one step: SQLite restarts a multi-step backup whenever another process writes.
    await backup(source, file, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  const copied = new DatabaseSync(file)
  try {
    // Without a log next to it, the copy is one file.
    copied.exec('pragma journal_mode = delete')
    const found = copied.prepare('pragma quick_check').get()
    if (found?.quick_check !== 'ok') throw new Error(`the copy is damaged: ${found?.quick_check}`)
  } finally {
    copied.close()
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const ALL_PAGES = 2 ** 31 - 1
