import { stat } from 'node:fs/promises'
import { MAX_GROUP_BYTES } from '../../kernel/store/sizes.ts'
import { readLines } from './read-lines.ts'
import { type Source, SourceError, type SourceRow } from './source.ts'

/** Opens a file with one resource per line, the format of an export. */
export async function jsonLinesSource(file: string): Promise<Source> {
  const { size } = await stat(file)
  return { size, rows: () => readRows(file) }
}

/** Rejects with a `SourceError` if a file does not begin like an export, so a CSV file is not rejected line by line. */
export async function requireExport(file: string): Promise<void> {
  for await (const { text } of readLines(file, MAX_GROUP_BYTES)) {
    if (text?.trim() === '') continue
    if (text === null || text.trimStart().startsWith('{')) return
    throw new SourceError(
      `${file} is not an export, because its first line is not JSON. A CSV file needs --mapping <file>`,
    )
  }
}

async function* readRows(file: string): AsyncGenerator<SourceRow> {
  for await (const { line, end, text } of readLines(file, MAX_GROUP_BYTES)) {
    const read = { line, end, size: text?.length ?? 0, operations: null }
    if (text === null) {
      const error = `the line is longer than ${MAX_GROUP_BYTES / 2 ** 20} MiB`
      yield { ...read, body: undefined, error }
    } else if (text.trim() !== '') yield { ...read, ...parsed(text) }
  }
}

function parsed(text: string): Pick<SourceRow, 'body' | 'error'> {
  try {
    return { body: JSON.parse(text), error: null }
  } catch {
    return { body: undefined, error: 'the line is not valid JSON' }
  }
}
