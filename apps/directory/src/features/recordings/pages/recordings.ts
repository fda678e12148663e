import { html } from 'hono/html'
import { count } from '../../../kernel/counts.ts'
import { alert } from '../../../shell/console/components/alert.ts'
import { form } from '../../../shell/console/components/form.ts'
import { emptyState, table } from '../../../shell/console/components/table.ts'
import { badge, time } from '../../../shell/console/components/text.ts'
import { type Confirmation, confirmed } from '../../../shell/console/confirm.ts'
import {
  type ConsoleApi,
  type ConsoleContext,
  on,
  type Section,
} from '../../../shell/console/context.ts'
import { detailOf, expectStatus, notFound } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { recordingRoutes } from '../operations.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>
type RecordingContext = ConsoleContext<{ readonly tenantId: string; readonly recordingId: string }>

/** Request recordings, exported as runs. */
export const recordingsSection: Section = {
  tenantLink: {
    text: 'Recordings',
    icon: 'video',
    group: 'Provisioning',
    href: (params) => routes.recordings.href(params),
  },
  pages: [
    on(routes.recordings, (context) => showRecordings(context)),
    on(routes.startRecording, startRecording),
    on(routes.stopRecording, async (context) => {
      const { params } = context
      expectStatus(await context.api.stopRecording({ params }), 200)
      return back(context, 'The recording was stopped.')
    }),
    on(
      routes.deleteRecording,
      confirmed(askToDelete, async (context) => {
        const { params } = context
        expectStatus(await context.api.deleteRecording({ params }), 204)
        return back(context, 'The recording was deleted.')
      }),
    ),
  ],
}

async function askToDelete(context: RecordingContext): Promise<Confirmation> {
  const { tenantId, recordingId } = context.params
  const answer = await context.api.listRecordings({ params: { tenantId } })
  const { recordings } = expectStatus(answer, 200).body
  const recording = recordings.find(({ id }) => id === recordingId)
  if (recording === undefined) throw notFound('This recording')
  return {
    question: `Delete the recording of ${recording.createdAt}?`,
    consequence: html`<p>Its ${count(recording.requests)} requests are deleted.</p>`,
    submit: 'Delete this recording',
    back: routes.recordings.href(context.params),
    tenant: await findTenant(context),
  }
}

async function startRecording(context: Context): Promise<Response> {
  const { tenantId } = context.params
  const answer = await context.api.startRecording({ params: { tenantId } })
  if (answer.status === 409) return await showRecordings(context, detailOf(answer.body))
  const { startsAt } = expectStatus(answer, 201).body
  return back(
    context,
    `The recording was started. If several server processes run, the others record from ${startsAt}.`,
  )
}

function back(context: Context | RecordingContext, message: string): Response {
  const { tenantId } = context.params
  return context.redirect(routes.recordings.href({ tenantId }), { message })
}

type Recording = Extract<
  Awaited<ReturnType<ConsoleApi['listRecordings']>>,
  { readonly status: 200 }
>['body']['recordings'][number]

async function showRecordings(context: Context, problem?: string): Promise<Response> {
  const { tenantId } = context.params
  const tenant = await findTenant(context)
  const answer = await context.api.listRecordings({ params: { tenantId } })
  return await context.page({
    title: 'Recordings',
    tenant,
    status: problem === undefined ? 200 : 409,
    actions: form(context, {
      action: routes.startRecording.href({ tenantId }),
      submit: 'Start a recording',
    }),
    body: html`<p>A recording stores the requests of a provider with their bodies, to reproduce a problem elsewhere. It stops by itself after 15 minutes, and is deleted when the provisioning log deletes requests of its age. The exported run does not contain values of the tenant: each is replaced, the same value by the same replacement.</p>
${problem !== undefined && alert('error', problem, { role: 'alert' })}
${table({
  caption: 'The recordings of this tenant',
  columns: [
    { title: 'Started', cell: ({ createdAt }) => time(createdAt, context.now()) },
    {
      title: 'State',
      cell: ({ isActive }) => (isActive ? badge('recording', 'warning') : badge('stopped', 'good')),
    },
    { title: 'Requests', className: 'number', cell: ({ requests }) => count(requests) },
    { title: 'Run', cell: (recording) => runLink(recording, tenantId) },
    { title: 'Change', cell: (recording) => change(context, recording) },
  ],
  rows: expectStatus(answer, 200).body.recordings,
  empty: emptyState('A request has not been recorded yet.'),
})}`,
  })
}

function runLink({ id: recordingId, isActive, requests }: Recording, tenantId: string) {
  if (isActive || requests === 0) return null
  const href = recordingRoutes.getRun.href({ tenantId, recordingId })
  return html`<a href="${href}" download="run-${recordingId}.json">Download the run</a>`
}

function change(context: Context, { id: recordingId, isActive }: Recording): Html {
  const { tenantId } = context.params
  if (isActive) {
    const action = routes.stopRecording.href({ tenantId, recordingId })
    return form(context, { action, submit: 'Stop', look: 'default' })
  }
  const action = routes.deleteRecording.href({ tenantId, recordingId })
  return form(context, { action, submit: 'Delete', look: 'danger' })
}
