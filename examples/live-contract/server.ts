import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLiveRecorder } from '@plumbline/contract'
import { implement } from '@plumbline/openapi/server'
import { current } from './documents.ts'

const BOOKS = [
  { title: 'Emma', kind: 'novel' as const },
  { title: 'Persuasion', note: 'Read twice' },
]

/** Serves the books. Each report becomes a file of a folder; here all answers are checked, and reported immediately. */
export function createServer(folder: string) {
  const { middleware } = createLiveRecorder(current, {
    sample: 1,
    budget: 1_000,
    interval: 0,
    onReport: (report) => writeFile(join(folder, `${randomUUID()}.json`), JSON.stringify(report)),
  })
  return implement(current, {
    middleware,
    handlers: {
      readBook: ({ params, reply }) =>
        reply(200, BOOKS[Number(params.id)] ?? { title: 7 as never }),
      addBook: ({ reply }) => reply(204),
      readCover: ({ reply }) => reply(204),
    },
  })
}
