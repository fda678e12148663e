import { writeFile } from 'node:fs/promises'
import { examine, formatReport } from '@plumbline/doctor'
import { unwrap } from '@plumbline/result'

type Fetch = (request: Request) => Promise<Response>

/** Examines a SCIM server, writes the page, and returns the number of failed checks of level MUST. */
export async function writeReport(target: string | Fetch, token: string, file: string) {
  const report = unwrap(await examine(target, { token, profiles: ['entra', 'okta'] }))
  await writeFile(file, formatReport(report, { format: 'html' }))
  const failed = report.outcomes.filter(({ status }) => status === 'failed')
  return failed.filter(({ level }) => level === 'MUST').length
}
