import type { Exchange } from './http/exchange.ts'
import type { Outcome, Report } from './report.ts'

/** Texts by which a server could try to change a report. */
export const HOSTILE: readonly string[] = [
  '<script>document.title = "changed"</script>',
  '</pre></code></main><img src=x onerror="document.title=1">',
  '"><svg onload=alert(1)>',
  "' style='position:fixed",
  ']]>&lt;b&gt;<b>bold</b>',
  '</style><style>body{display:none}</style>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '\u0000\u001b[2J\u202ertl\ud800',
]

const text = HOSTILE.join('\n')

const exchange: Exchange = {
  method: 'POST',
  url: `https://scim.example/scim/v2/Users?${text}`,
  requestHeaders: { authorization: '***', 'content-type': 'application/scim+json' },
  requestBody: JSON.stringify({ userName: 'ada@example.com', displayName: 'x'.repeat(3_000) }),
  status: 500,
  responseHeaders: { 'content-type': text, server: 'y'.repeat(2_000) },
  responseBody: text,
  fault: null,
  duration: 12,
}

const passed: Outcome = {
  id: 'create.user',
  section: 'RFC 7644 §3.3',
  level: 'MUST',
  title: 'A user is created',
  advice: 'Answer 201.',
  affects: { entra: 'Provisioning fails.', okta: 'Users are not created.' },
  status: 'passed',
  finding: null,
  reason: null,
  exchanges: [exchange],
}

const failed: Outcome = {
  ...passed,
  id: 'create.required',
  status: 'failed',
  finding: { expected: 'POST /Users to answer 201', found: text },
  exchanges: [exchange, { ...exchange, status: null, responseBody: null, fault: text }],
}

/** A report of every status and level, with hostile answers. */
export const REPORT: Report = {
  target: 'https://scim.example/scim/v2',
  date: '2026-11-24T09:00:00.000Z',
  doctor: '2026.11.21',
  profiles: ['entra'],
  marker: 'plumbline-1',
  outcomes: [
    passed,
    failed,
    { ...failed, id: 'sorting.order', section: 'RFC 7644 §3.4.2.3', level: 'SHOULD' },
    { ...passed, id: 'me.read', section: 'RFC 7644 §3.11', status: 'skipped', reason: text },
    { ...passed, id: 'me.replace', section: 'RFC 7644 §3.11', status: 'blocked', reason: text },
    { ...passed, id: 'me.patch', section: 'RFC 7644 §3.11', status: 'blocked', reason: text },
    { ...passed, id: 'bulk.size', section: 'RFC 7644 §3.7.4', status: 'broken', reason: text },
    { ...passed, id: 'entra.patch', section: 'Entra ID', level: 'practice' },
  ],
  left: [`https://scim.example/scim/v2/Users/${text}`],
  stopped: text,
}
