import { createContractRecorder } from '@plumbline/contract'
import { vitestRunner } from '@plumbline/contract/vitest'
import * as vitest from 'vitest'
import { api, fetchBooks } from '../api.ts'

/** Each test file has a recorder of its own; the reporter in `vitest.config.ts` merges their reports. */
const recorder = createContractRecorder(api, { runner: vitestRunner(vitest) })

/** Sends a request to the API, and checks the exchange against the document. */
export function send(path: string, init?: RequestInit): Promise<Response> {
  const request = new Request(`http://localhost${path}`, init)
  return recorder.middleware({ request }, () => fetchBooks(request))
}
