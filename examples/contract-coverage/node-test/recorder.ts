/** With `node:test`, each process writes its report to a file, which `plumbline-contract` merges. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, beforeEach, type SuiteContext, type TestContext } from 'node:test'
import { createContractRecorder } from '@plumbline/contract'
import { api, fetchBooks } from '../api.ts'

let current: TestContext | SuiteContext | undefined
beforeEach((context) => {
  current = context
})

const currentTest = () =>
  current === undefined ? null : { name: current.fullName, file: current.filePath ?? '' }
const recorder = createContractRecorder(api, { runner: { currentTest } })

after(() => {
  const folder = process.env.CONTRACT_REPORTS ?? 'reports/node-test'
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(recorder.report()))
})

/** Sends a request to the API, and checks the exchange against the document. */
export function send(path: string, init?: RequestInit): Promise<Response> {
  const request = new Request(`http://localhost${path}`, init)
  return recorder.middleware({ request }, () => fetchBooks(request))
}
