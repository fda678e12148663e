import type { Run } from '@plumbline/doctor'
import { readRuns } from '../../apps/directory/test/support/provider-runs/provider-runs.ts'

/** The runs shown, with their titles and the number of steps in the picture. */
const SHOWN: Readonly<Record<string, { readonly title: string; readonly steps: number }>> = {
  'entra-aadOptscim062020': { title: 'Microsoft Entra ID', steps: 14 },
  'okta-put': { title: 'Okta, an application of the wizard', steps: 12 },
  'okta-patch': { title: 'Okta, an application of the catalog', steps: 12 },
}

/** The page about identity providers' requests, and its pictures. A directory test replays the same requests. */
export function provisioningPages(): Map<string, string> {
  const runs = Object.entries(SHOWN).flatMap(([name, shown]) => {
    const run = readRuns().get(name)
    return run === undefined ? [] : [{ name, run, ...shown }]
  })
  if (runs.length !== Object.keys(SHOWN).length) throw new Error('a run of a provider is missing')
  const sections = runs.flatMap(({ name, run, title, steps }) => [
    `## ${title}`,
    `![The first ${steps} requests of ${title}, and the answers](../pictures/${name}.svg)`,
    tableOf(run),
  ])
  return new Map([
    ['concepts/provisioning.md', [...INTRODUCTION, ...sections].join('\n\n')],
    ...runs.map(
      ({ name, run, title, steps }) =>
        [`pictures/${name}.svg`, picture(run, title, steps)] as const,
    ),
  ])
}

const INTRODUCTION = [
  '# What identity providers send',
  'The requests of identity providers, and what the directory answers. They are taken from the documentation of the providers, and the tests of the directory send them.',
]

function tableOf({ steps }: Run): string {
  const rows = steps.map(
    ({ name, request, expect }) =>
      `| ${name.replaceAll('|', '\\|')} | \`${lineOf(request).replaceAll('|', '\\|')}\` | ${expect.status} |`,
  )
  return ['| step | request | answer |', '| --- | --- | --- |', ...rows].join('\n')
}

function lineOf({ method, path }: Run['steps'][number]['request']): string {
  const shown = decodeURIComponent(path.replaceAll('+', ' ')).replaceAll(/\{\{(\w+)\}\}/g, '{$1}')
  return `${method} ${shown.replace('aadOptscim062020&', '').replace('?aadOptscim062020', '')}`
}

/** A sequence diagram: the provider on the left, the endpoint on the right. */
function picture({ steps }: Run, title: string, most: number): string {
  const lines = steps.slice(0, most).flatMap(({ request, expect }, at) => {
    const y = 80 + at * 44
    return [
      label(y - 5, lineOf(request)),
      arrow(y, 70, 610),
      label(y + 13, String(expect.status)),
      arrow(y + 18, 610, 70),
    ]
  })
  const height = 80 + most * 44
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 ${height}" width="680" height="${height}" role="img" aria-labelledby="t" font-family="sans-serif" font-size="12">
<title id="t">${escapeText(title)}</title>
<defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#57606a"/></marker></defs>
<rect width="680" height="${height}" rx="8" fill="#ffffff"/>
<g stroke="#8c959f"><path d="M70 40V${height - 20}"/><path d="M610 40V${height - 20}"/></g>
<g font-weight="bold" fill="#1f2328" text-anchor="middle"><text x="90" y="28">provider</text><text x="590" y="28">SCIM endpoint</text></g>
${lines.join('\n')}
</svg>
`
}

function arrow(y: number, from: number, to: number): string {
  return `<path d="M${from} ${y}H${to}" stroke="#57606a" marker-end="url(#a)"/>`
}

function label(y: number, text: string): string {
  const shown = text.length > 88 ? `${text.slice(0, 87)}…` : text
  return `<text x="340" y="${y}" text-anchor="middle" fill="#1f2328">${escapeText(shown)}</text>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
