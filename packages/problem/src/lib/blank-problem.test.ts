import { describe, expect, it } from 'vitest'
import { blankProblem } from '../core.ts'

describe('blankProblem', () => {
  it('blankProblem writes the members of RFC 9457 §4.2.1, and the detail only if there is one', async () => {
    const members = { type: 'about:blank', title: 'Not found', status: 404 }
    const response = blankProblem(404, 'Not found')
    expect(response.status).toBe(404)
    expect(await response.json()).toStrictEqual(members)
    const detailed = blankProblem(404, 'Not found', { detail: 'No book b1' })
    expect(await detailed.json()).toStrictEqual({ ...members, detail: 'No book b1' })
  })

  it('blankProblem sends the headers of its options, except the Content-Type', () => {
    const given = { Allow: 'GET', 'content-type': 'text/plain' }
    const { headers } = blankProblem(405, 'Method not allowed', { headers: given })
    expect(headers.get('Allow')).toBe('GET')
    expect(headers.get('Content-Type')).toBe('application/problem+json')
  })
})
