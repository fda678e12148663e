import {
  describeVerdict,
  examine,
  type Outcome,
  type Report,
  type Verdict,
  verdictOf,
} from '@plumbline/doctor'
import { isFailure } from '@plumbline/result'
import { html } from 'hono/html'
import { SCIM_PATH } from '../../../kernel/requests/scim-path.ts'
import { createSlots, type Slots } from '../../../kernel/store/engines/worker-pool.ts'
import { type AlertKind, alert } from '../../../shell/console/components/alert.ts'
import { form } from '../../../shell/console/components/form.ts'
import { emptyState, table } from '../../../shell/console/components/table.ts'
import type { Served } from '../../../shell/console/context.ts'
import { ConsoleError } from '../../../shell/console/faults.ts'
import type { Html } from '../../../shell/console/html.ts'
import { setupRoutes } from '../../../shell/console/routes.ts'
import type { SetupContext } from './context.ts'

/** Creates the page where the doctor examines the tenant's SCIM server. */
export function createDoctor({ scim }: Pick<Served, 'scim'>) {
  // An examination sends hundreds of requests, so a tenant has one at a time, and few tenants at the same time.
  const slots = createSlots<null>(Array(MAX_EXAMINATIONS).fill(null))
  const examined = new Set<string>()
  return {
    show: (context: SetupContext) => verdictPage(context, null),
    examine: async (context: SetupContext): Promise<Response> => {
      const { id } = context.session.tenant
      if (examined.has(id)) {
        throw new ConsoleError(429, 'Another examination is running. Try again soon.')
      }
      examined.add(id)
      try {
        return await verdictPage(context, await examineInTurn(context, scim, slots))
      } finally {
        examined.delete(id)
      }
    },
  }
}

async function examineInTurn(
  context: SetupContext,
  scim: Served['scim'],
  slots: Slots<null>,
): Promise<Report> {
  const waiting = AbortSignal.timeout(MAX_WAIT_MS)
  const turn = await slots
    .take(context.session.tenant.id, AbortSignal.any([context.request.signal, waiting]))
    .catch(() => {
      throw new ConsoleError(503, 'Other examinations take long. Try again soon.')
    })
  try {
    return await examineTenant(context, scim)
  } finally {
    slots.giveBack(turn)
  }
}

/** Examines the tenant without changing it. */
async function examineTenant(context: SetupContext, scim: Served['scim']): Promise<Report> {
  const { request, session, origin } = context
  const principal = { ...session.principal, access: 'read' } as const
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const report = await examine((sent) => scim(sent, context, principal), {
    base: `${origin}${SCIM_PATH}`,
    readOnly: true,
    signal,
  })
  if (isFailure(report))
    throw new ConsoleError(503, `The server cannot be examined: ${report.error.message}`)
  return report.data
}

async function verdictPage(context: SetupContext, report: Report | null): Promise<Response> {
  return await context.page({
    title: 'The doctor’s verdict',
    body: html`<p>The doctor compares the SCIM server of your organization with the standard (RFC 7643 and RFC 7644). It only reads, and changes no user.</p>
${report !== null && verdict(report)}
${form(context, { action: setupRoutes.examine.href(), submit: report === null ? 'Examine' : 'Examine again' })}`,
  })
}

function verdict(report: Report): Html {
  const failed = report.outcomes.filter(({ status }) => status === 'failed')
  return html`${alert(KINDS[verdictOf(report)], html`<p>${describeVerdict(report)}</p>`, {
    role: 'status',
  })}
${table<Outcome>({
  caption: 'The checks that failed.',
  columns: [
    { title: 'Section', cell: ({ section }) => section },
    { title: 'Level', cell: ({ level }) => level },
    { title: 'Check', className: 'wrap', cell: ({ title }) => title },
    { title: 'Expected', className: 'wrap', cell: ({ finding }) => finding?.expected ?? '' },
    { title: 'Found', className: 'wrap', cell: ({ finding }) => finding?.found ?? '' },
  ],
  rows: failed,
  empty: emptyState('No check failed.'),
})}`
}

const KINDS: Readonly<Record<Verdict, AlertKind>> = {
  bad: 'error',
  warnings: 'warning',
  incomplete: 'warning',
  good: 'success',
}

/** How long (ms) an examination may take. */
const TIMEOUT_MS = 30_000
/** How long (ms) an examination may wait for those of other tenants. */
const MAX_WAIT_MS = 60_000
const MAX_EXAMINATIONS = 4
