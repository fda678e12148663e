import { stat } from 'node:fs/promises'
import { isFailure, unwrap } from '@plumbline/result'
import { type ResourceType, typeNamed } from '../../kernel/resources/resource-type.ts'
import { readCsv } from './csv.ts'
import { checkPaths, columnsOf, type Mapping, operationsOf, resourceOf } from './mapping.ts'
import type { Source, SourceRow } from './source.ts'

/** Reads a CSV file with one user per row. Throws a SourceError for a path that users do not have. */
export async function csvUserSource(
  file: string,
  mapping: Mapping,
  types: readonly ResourceType[],
): Promise<Source> {
  const users = mapping.users ?? []
  const { name, definitions } = typeNamed(types, 'User')
  unwrap(checkPaths(users, definitions))
  const options = { columns: columnsOf(mapping), delimiter: mapping.delimiter }
  const rows = async function* (): AsyncGenerator<SourceRow> {
    for await (const { line, end, size, cell, error } of readCsv(file, options)) {
      const operations = error === null ? operationsOf(users, cell) : []
      const read = resourceOf(operations, definitions)
      const fault = isFailure(read) ? faultOf(read.error.message) : null
      const body = isFailure(read) ? undefined : { ...read.data, meta: { resourceType: name } }
      yield { line, end, size, body, operations, error: error ?? fault }
    }
  }
  return { size: (await stat(file)).size, rows }
}

/** Removes the operation's number from a reason, because the file doesn't contain it. */
function faultOf(message: string): string {
  return message.replace(/^Operations\[\d+\](\.\w+)?: /, '')
}
