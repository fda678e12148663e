import { createReadStream } from 'node:fs'
import { CsvError, parse } from 'csv-parse'
import { SourceError } from './source.ts'

/** A row in a CSV file, below the column names in the first row. */
export interface CsvRow {
  /** The last line's number, from 1. */
  readonly line: number
  /** The file position after the row, in bytes. */
  readonly end: number
  /** In bytes. */
  readonly size: number
  /** A column's trimmed cell; empty if the row is shorter. */
  cell(column: string): string
  /** Why the row cannot be read; null if it can. */
  readonly error: string | null
}

/** Reads a CSV file (RFC 4180) in UTF-8. Rejects with a SourceError if the file is not CSV or lacks a wanted column. */
export async function* readCsv(
  file: string,
  { columns, delimiter }: { readonly columns: readonly string[]; readonly delimiter: string },
): AsyncGenerator<CsvRow> {
  const parser = createReadStream(file).pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW_LENGTH,
      trim: true,
    }),
  )
  let places: ReadonlyMap<string, number> | null = null
  let before = 0
  try {
    for await (const { info, record } of parser as AsyncIterable<Parsed>) {
      const size = info.bytes - before
      before = info.bytes
      if (places === null) {
        places = placesOf(record, columns)
        continue
      }
      const { size: count } = places
      const found = places
      yield {
        line: info.lines,
        end: info.bytes,
        size,
        cell: (column) => record[found.get(column) ?? -1] ?? '',
        error: record.length === count ? null : `the row has ${record.length} cells, not ${count}`,
      }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new SourceError(error.message)
    throw error
  }
}

interface Parsed {
  readonly info: { readonly lines: number; readonly bytes: number }
  readonly record: readonly string[]
}

function placesOf(
  header: readonly string[],
  wanted: readonly string[],
): ReadonlyMap<string, number> {
  const places = new Map(header.map((name, at) => [name, at]))
  if (places.size < header.length) throw new SourceError('two columns have the same name')
  const missing = wanted.find((name) => !places.has(name))
  if (missing === undefined) return places
  throw new SourceError(`the column ${missing} is not one of ${header.join(', ')}`)
}

const MAX_ROW_LENGTH = 2 ** 20
