import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKS, type ExaminationCode } from '@plumbline/doctor'
import { describe, expect, it } from 'vitest'
import { problems } from '../apps/directory/src/shell/api/problems.ts'
import { checkPages } from '../docs/src/checks.ts'
import { expandFaults } from '../docs/src/faults.ts'
import { problemPages } from '../docs/src/problems.ts'
import { addressOf, addressOfCode } from '../packages/doctor/src/lib/address.ts'
import { ConformanceError } from '../packages/openapi/src/lib/check/violation.ts'
import { BUILD_FAULTS } from '../packages/openapi/src/lib/document/faults.ts'
import { TEXT_FAULTS } from '../packages/openapi/src/lib/text/errors.ts'
import { slugOf } from './packages/links.ts'
import { root } from './run.ts'

const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The addresses of the sections of a page. */
function sectionsOf(page: string, text: string): string[] {
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => slugOf(heading))
  return headings.map((slug) => `${homepage}/${page.replace(/[.]md$/, '.html')}#${slug}`)
}

function expandedPage(page: string): string[] {
  return sectionsOf(page, expandFaults(page, readFileSync(join(root, 'docs/pages', page), 'utf8')))
}

/** The compiler rejects a list without one of the codes. */
const EXAMINATION_ERRORS: Readonly<Record<ExaminationCode, true>> = {
  unreachable: true,
  timeout: true,
  unauthorized: true,
  redirected: true,
  'too-large': true,
  busy: true,
  unavailable: true,
  'not-scim': true,
  'invalid-options': true,
  full: true,
  'not-confirmed': true,
  interrupted: true,
}

describe('a page of the homepage has the sections to which messages link:', () => {
  it('the homepage has a section for each check of the doctor', () => {
    const sections = [...checkPages()].flatMap(([page, text]) => sectionsOf(page, text))
    expect(CHECKS.map(addressOf).sort()).toEqual(sections.sort())
  })

  it.each([
    ['openapi-build', BUILD_FAULTS],
    ['openapi-text', TEXT_FAULTS],
  ])('the homepage has a section of %s for each code', (page, faults) => {
    const addresses = Object.keys(faults).map((code) => addressOfCode(page, code))
    expect(addresses.sort()).toEqual(expandedPage(`troubleshooting/${page}.md`).sort())
  })

  it('the homepage has a section for each error of the doctor', () => {
    const addresses = Object.keys(EXAMINATION_ERRORS).map((code) => addressOfCode('doctor', code))
    expect(expandedPage('troubleshooting/doctor.md').sort()).toEqual(addresses.sort())
  })

  it('the homepage has a section for a violation of the document', () => {
    const { message } = new ConformanceError([
      { kind: 'body-mismatch', operationId: 'a', message: 'must be a string' },
    ])
    expect(expandedPage('troubleshooting/openapi-tests.md')).toContain(message.split('\n').at(-1))
  })
})

it('the type of each problem of the directory is the address of a page with an example of it', async () => {
  const pages = await problemPages()
  for (const { type } of Object.values(problems)) {
    const path = type.replace(`${homepage}/`, '')
    expect(pages.get(`${path}/index.md`)).toContain(`"type": "${type}"`)
  }
  expect(pages.size).toBe(Object.keys(problems).length + 1)
})
