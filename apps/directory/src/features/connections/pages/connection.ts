import { html } from 'hono/html'
import { type AlertKind, alert } from '../../../shell/console/components/alert.ts'
import { card } from '../../../shell/console/components/card.ts'
import { field, fieldErrors, form } from '../../../shell/console/components/form.ts'
import { definitionList } from '../../../shell/console/components/table.ts'
import { type BadgeKind, badge, code, exactTime } from '../../../shell/console/components/text.ts'
import { type Confirmation, confirmed } from '../../../shell/console/confirm.ts'
import {
  type ConsoleApi,
  type ConsoleContext,
  on,
  type Section,
} from '../../../shell/console/context.ts'
import { expectStatus } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { describeConnection } from './describe-connection.ts'
import { waitingCard } from './waiting-changes.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>

/** The waiting changes, and the forms for releasing or dropping them. */
export const connectionSection: Section = {
  tenantLink: {
    text: 'Changes',
    icon: 'diff',
    key: 'c',
    group: 'Provisioning',
    href: (params) => routes.connection.href(params),
  },
  pages: [
    on(routes.connection, (context) => showConnection(context)),
    on(
      routes.releaseChanges,
      confirmed(askToRelease, async (context) => {
        const { params } = context
        expectStatus(await context.api.releaseChanges({ params }), 204)
        return back(context, 'The changes were released.')
      }),
    ),
    on(routes.pauseChanges, pause),
    on(
      routes.dropChanges,
      confirmed(askToDrop, async (context) => {
        const { params } = context
        expectStatus(await context.api.dropChanges({ params }), 204)
        return back(context, 'The changes were dropped. Applications never see them.')
      }),
    ),
    on(routes.changeRule, changeRule),
  ],
}

async function askToRelease(context: Context): Promise<Confirmation> {
  return await askAbout(context, {
    question: 'Release the changes?',
    consequence: 'Applications see the changes in their order, and users lose their access.',
    submit: 'Release the changes',
  })
}

async function askToDrop(context: Context): Promise<Confirmation> {
  return await askAbout(context, {
    question: 'Drop the changes?',
    consequence:
      'Applications never see these changes. The users stay as they are in the directory.',
    submit: 'Drop the changes',
  })
}

async function askAbout(
  context: Context,
  { consequence, ...texts }: Pick<Confirmation, 'question' | 'submit'> & { consequence: string },
): Promise<Confirmation> {
  const { params, api } = context
  const tenant = await findTenant(context)
  const connection = expectStatus(await api.getConnection({ params }), 200).body
  return {
    ...texts,
    consequence: html`<p>${describeConnection(connection)} ${consequence}</p>`,
    back: routes.connection.href(params),
    tenant,
  }
}

async function pause(context: Context): Promise<Response> {
  const { params } = context
  const body = { state: 'paused' } as const
  expectStatus(await context.api.changeConnection({ params, body }), 200)
  return back(context, 'The changes are paused.')
}

async function changeRule(context: Context): Promise<Response> {
  const { params, form: posted } = context
  const numberOf = (name: string) => Number(posted.get(name) || Number.NaN)
  const rule = {
    percent: numberOf('percent'),
    least: numberOf('least'),
    minutes: numberOf('minutes'),
    delay: numberOf('delay'),
    protectedGroups: (posted.get('protectedGroups') ?? '').split(/[\s,]+/).filter(Boolean),
  }
  const answer = await context.api.changeConnection({ params, body: { rule } })
  if (answer.problem === 'invalid') {
    const issues = answer.body.issues.map((issue) => ({
      ...issue,
      pointer: issue.pointer.replace('/rule', ''),
    }))
    return await showConnection(context, fieldErrors(issues))
  }
  expectStatus(answer, 200)
  return back(context, 'The rule was changed.')
}

function back({ params, redirect }: Context, message: string): Response {
  return redirect(routes.connection.href(params), { message })
}

type Connection = Extract<
  Awaited<ReturnType<ConsoleApi['getConnection']>>,
  { readonly status: 200 }
>['body']

async function showConnection(
  context: Context,
  errors: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { params, api } = context
  const tenant = await findTenant(context)
  const connection = expectStatus(await api.getConnection({ params }), 200).body
  const { state, waiting } = connection
  return await context.page({
    title: 'Changes',
    tenant,
    status: Object.keys(errors).length === 0 ? 200 : 422,
    body: html`${alert(ALERTS[state], html`<p>${badge(state, BADGES[state])} ${describeConnection(connection)}</p>`)}
${state !== 'active' && definitionList(factsOf(context, connection))}
${!waiting.isComplete && alert('warning', INCOMPLETE)}
${actions(context, connection)}
${state !== 'active' && (await waitingCard(context, waiting.users.count > 0))}
${card({ title: 'When changes are held', body: ruleForm(context, connection, errors) })}
<p class="hint">Applications read the changes of this tenant at ${code(`/api/tenants/${params.tenantId}/changes`)}. The last one that they see is ${code(waiting.after)}.</p>`,
  })
}

function factsOf({ params, now }: Context, { hold, waiting }: Connection) {
  const requestLink = (id: string | null) =>
    id === null
      ? 'none'
      : html`<a href="${routes.requests.href(params)}?requestId=${encodeURIComponent(id)}">${code(id)}</a>`
  return [
    ['Since', hold === null ? 'an administrator changed the state' : exactTime(hold.time, now())],
    ['Tokens', waiting.tokenIds.map((id) => id ?? 'DIRECTORY_TOKEN').join(', ') || 'none'],
    ['First request', requestLink(waiting.firstRequestId)],
    ['Last request', requestLink(waiting.lastRequestId)],
  ] as const
}

function actions(context: Context, { state }: Connection): Html {
  const { params } = context
  const pause = form(context, {
    action: routes.pauseChanges.href(params),
    submit: 'Pause the changes',
    look: 'default',
  })
  if (state === 'active') {
    return card({
      title: 'Pause the changes',
      body: html`<p>Applications do not see later changes until you release them.</p>${pause}`,
    })
  }
  return html`${form(context, {
    action: routes.releaseChanges.href(params),
    submit: 'Release: applications see the changes',
  })}
${card({
  title: 'Drop the changes',
  isDangerous: true,
  body: form(context, {
    action: routes.dropChanges.href(params),
    submit: 'Drop: applications never see the changes',
    look: 'danger',
  }),
})}`
}

function ruleForm(
  context: Context,
  { rule }: Connection,
  errors: Readonly<Record<string, string>>,
): Html {
  const number = (name: keyof typeof rule, label: string) =>
    field({ name, label, value: String(rule[name]), error: errors[name], type: 'number' })
  return form(context, {
    action: routes.changeRule.href(context.params),
    submit: 'Change the rule',
    body: html`${number('percent', 'More users than this percentage lose access')}
${number('least', 'and at least this many')}
${number('minutes', 'within this many minutes')}
${number('delay', 'Seconds that a deactivation waits')}
${field({
  name: 'protectedGroups',
  label: 'Ids of groups that must not lose their last active user',
  value: rule.protectedGroups.join(' '),
  error: errors.protectedGroups,
})}`,
  })
}

const INCOMPLETE =
  'More changes have happened than CHANGE_MEGABYTES permits to store. After a release, applications copy the tenant again.'
const ALERTS: Readonly<Record<Connection['state'], AlertKind>> = {
  active: 'success',
  review: 'warning',
  paused: 'warning',
  held: 'error',
}
const BADGES: Readonly<Record<Connection['state'], BadgeKind>> = {
  active: 'good',
  review: 'warning',
  paused: 'warning',
  held: 'bad',
}
