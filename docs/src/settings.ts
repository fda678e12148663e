import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { VARIABLES } from '../../apps/directory/src/commands/config.ts'
import { createMetrics } from '../../apps/directory/src/features/metrics/metrics.ts'
import { createJobReports } from '../../apps/directory/src/kernel/jobs/job-reports.ts'
import { VERSION } from '../../apps/directory/src/kernel/version.ts'
import { root } from '../../scripts/run.ts'

/** A Prometheus rule, as written in `apps/directory/monitoring/rules.yaml`. */
interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly description: string }
}

/** Creates the page with the directory's settings, metrics and alerts, from the tables in its source. */
export async function settingsPage(): Promise<readonly [page: string, text: string]> {
  const sections = [
    '# Settings, metrics and alerts',
    'All settings of [the directory](./index.md), all metrics and the alerts worth a page. [Operation](./operate.md) explains how they are used.',
    '## Settings',
    'Environment variables, all optional.',
    tableOf(
      ['variable', 'default', 'meaning'],
      VARIABLES.map(([name, byDefault, meaning]) => [`\`${name}\``, byDefault, meaning]),
    ),
    '## Metrics',
    '`GET /metrics` prints them for [Prometheus](./operate.md#metrics), and an SDK of [OpenTelemetry](./operate.md#opentelemetry) gets those of the directory.',
    tableOf(['metric', 'type', 'labels', 'meaning'], await metrics()),
    '## Alerts',
    'The rules for `rule_files` of Prometheus are in the repository, next to [a dashboard for Grafana](./operate.md#alerts-and-a-dashboard).',
    ...alerts(),
  ]
  return ['directory/settings.md', `${sections.join('\n\n')}\n`]
}

/** Reads the metrics from a server that has answered a request. */
async function metrics(): Promise<readonly (readonly string[])[]> {
  const some = [{ name: 'one', running: 0, waiting: 0, limit: 1 }]
  const { observe, observeDelivery, observeSurvey, print } = createMetrics({
    store: {
      dialect: { name: 'sqlite' },
      load: () => ({ work: some, connections: some }),
      jobs: createJobReports(),
    },
    provisioning: { counts: () => ({ waiting: 0, stored: 0, dropped: 0 }) },
    version: VERSION,
    isProcess: true,
    meter: null,
    now: Date.now,
  })
  observeDelivery('accepted')
  observeSurvey({ webhooks: [], connections: new Map([['active', 0]]), expiring: 0, size: 0 })
  observe({ method: 'GET', scheme: 'http', route: '/', status: 200, milliseconds: 1 })
  const text = await print()
  const heads = text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm)
  return [...heads]
    .map(([, name = '', help = '', type = '']) => {
      const series = new RegExp(`^${name}(?:_count)?\\{(.*)\\}`, 'm').exec(text)?.[1] ?? ''
      const labels = [...series.matchAll(/(\w+)="/g)].map(([, label]) => `\`${label}\``)
      // The labels on Node's metrics depend on what has happened.
      return [`\`${name}\``, type, name.startsWith('directory_') ? labels.join(', ') : '', help]
    })
    .sort(([a = ''], [b = '']) => (isOwn(a) === isOwn(b) ? (a < b ? -1 : 1) : isOwn(a) ? -1 : 1))
}

function isOwn(name: string): boolean {
  return name.startsWith('`directory_')
}

function alerts(): readonly string[] {
  const text = readFileSync(join(root, 'apps/directory/monitoring/rules.yaml'), 'utf8')
  const { groups } = load(text) as { groups: readonly { rules: readonly Rule[] }[] }
  return groups.flatMap(({ rules }) =>
    rules.flatMap(({ alert, expr, for: time, labels, annotations }) => [
      `### ${alert}`,
      `${annotations.description} Severity: ${labels.severity}${time === undefined ? '' : `, after ${time}`}.`,
      `\`\`\`txt\n${expr.trim()}\n\`\`\``,
    ]),
  )
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map(
      (row) =>
        `| ${row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`,
    )
    .join('\n')
}
