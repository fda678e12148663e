/** Jest loads this module once for each test file, which writes a report of its own. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterAll, expect } from '@jest/globals'
import { createContractRecorder } from '@plumbline/contract'
import { api, builder } from './api.js'

const currentTest = () => {
  const { currentTestName: name, testPath: file } = expect.getState()
  return name === undefined ? null : { name, file: file ?? '' }
}
const recorder = createContractRecorder(builder, { runner: { currentTest } })
afterAll(() => writeFileSync(`reports/${randomUUID()}.json`, JSON.stringify(recorder.report())))

/**
 * Sends a request to the API, and checks the exchange against the document.
 *
 * @param {string} path
 */
export function send(path, fetch = api.fetch) {
  const request = new Request(`http://localhost${path}`)
  return recorder.middleware({ request }, () => fetch(request))
}
