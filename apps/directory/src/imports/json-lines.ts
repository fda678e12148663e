import { stat } from 'node:fs/promises'
import { MOST_IN_GROUP } from '../store/sizes.ts'
import { readLines } from './read-lines.ts'
import type { Source, SourceRow } from './source.ts'

/** Opens a file with one resource per line, the format of an export. */
export async function jsonLinesSource(file: string): Promise<Source> {
  const { size } = await stat(file)
  return { size, rows: () => readRows(file) }
}

async function* readRows(file: string): AsyncGenerator<SourceRow> {
  for await (const { line, end, text } of readLines(file, MOST_IN_GROUP)) {
    const read = { line, end, size: text?.length ?? 0, operations: null }
    if (text === null) {
      const error = `the line is longer than ${MOST_IN_GROUP / 2 ** 20} MiB`
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
