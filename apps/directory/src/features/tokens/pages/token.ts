import { html } from 'hono/html'
import { alert } from '../../../shell/console/components/alert.ts'
import { card } from '../../../shell/console/components/card.ts'
import { form, select } from '../../../shell/console/components/form.ts'
import { definitionList } from '../../../shell/console/components/table.ts'
import { code, exactTime } from '../../../shell/console/components/text.ts'
import type { Confirmation } from '../../../shell/console/confirm.ts'
import type { ConsoleContext } from '../../../shell/console/context.ts'
import { accessText } from '../../../shell/console/credential-fields.ts'
import { expiryOf, LIFETIMES, OVERLAPS, overlapOf } from '../../../shell/console/expiry.ts'
import { detailOf, expectStatus } from '../../../shell/console/faults.ts'
import type { Html } from '../../../shell/console/html.ts'
import { findToken, type StoredToken, type TokenOwner } from './token-owner.ts'

type TokenContext = ConsoleContext<{ readonly tokenId: string }>

/** Shows a token, and the forms to rotate and to revoke it. */
export async function showToken(
  context: TokenContext,
  owner: TokenOwner,
  problem?: { readonly status: number; readonly detail: string },
): Promise<Response> {
  const token = await findToken(context, owner, context.params.tokenId)
  return await context.page({
    title: token.name,
    ...(owner.tenant === null ? {} : { tenant: owner.tenant }),
    status: problem?.status ?? 200,
    crumbs: [{ text: owner.title, href: owner.list }],
    body: html`${problem !== undefined && alert('error', problem.detail, { role: 'alert' })}
${facts(token, owner, context.now())}
${token.replacedBy === null && rotation(context, token, owner)}
${card({
  title: 'Revoke',
  isDangerous: true,
  body: form(context, {
    action: owner.revoke(token.id),
    submit: 'Revoke this token',
    look: 'danger',
    body: revocation(context, token),
  }),
})}`,
  })
}

/** Creates a token's replacement. The list shows it once. */
export async function rotateToken(context: TokenContext, owner: TokenOwner): Promise<Response> {
  const { tokenId } = context.params
  const { name } = await findToken(context, owner, tokenId)
  const expiry = context.form.get('expiry')
  const answer = await context.api.rotateToken({
    params: { tokenId },
    body: {
      overlapSeconds: overlapOf(context.form.get('overlap')),
      ...(expiry === SAME ? {} : { expiresAt: expiryOf(expiry, context.now()) }),
    },
  })
  if (answer.problem === 'notRotatable') {
    return await showToken(context, owner, { status: 409, detail: detailOf(answer.body) })
  }
  const { token } = expectStatus(answer, 201).body
  const message = `The token ${name} was rotated. Enter the new one where the old one is used.`
  return context.redirect(owner.list, { message, secret: token })
}

/** Asks whether to revoke a token. */
export async function askToRevoke(context: TokenContext, owner: TokenOwner): Promise<Confirmation> {
  const token = await findToken(context, owner, context.params.tokenId)
  return {
    question: `Revoke the token ${token.name}?`,
    consequence: revocation(context, token),
    submit: 'Revoke this token',
    back: owner.token(token.id),
    tenant: owner.tenant,
  }
}

function revocation({ session }: TokenContext, { id }: StoredToken): Html {
  const isOwn = id === session.principal.tokenId
  return html`<p>Every server process rejects the token within a second.${isOwn && ' It is the token of your session: you will be signed out.'}</p>`
}

/** Revokes a token. */
export async function revokeToken(context: TokenContext, owner: TokenOwner): Promise<Response> {
  const { tokenId } = context.params
  const { name } = await findToken(context, owner, tokenId)
  expectStatus(await context.api.revokeToken({ params: { tokenId } }), 204)
  return context.redirect(owner.list, { message: `The token ${name} was revoked.` })
}

function facts(token: StoredToken, { token: href }: TokenOwner, now: number): Html {
  const linkTo = (id: string | null) =>
    id === null ? null : html`<a href="${href(id)}"><code>${id}</code></a>`
  return definitionList([
    ['Id', code(token.id)],
    ['Permits', accessText(token)],
    ['Profile', token.profile],
    ['User of /Me', token.userId],
    ['Created', exactTime(token.createdAt, now)],
    ['Last used', exactTime(token.lastUsedAt, now)],
    ['Expires', token.expiresAt === null ? 'never' : exactTime(token.expiresAt, now)],
    ['Replaces', token.replaces === null ? null : code(token.replaces)],
    ['Replaced by', linkTo(token.replacedBy)],
  ])
}

function rotation(context: TokenContext, { id }: StoredToken, { rotate }: TokenOwner): Html {
  return card({
    title: 'Rotate',
    body: form(context, {
      action: rotate(id),
      submit: 'Rotate',
      body: [
        html`<p>Creates a new token with the same name and permissions. Both are accepted for a while, so that the provider can change to the new one.</p>`,
        select({ name: 'overlap', label: 'Accept the old token for', choices: OVERLAPS }),
        select({
          name: 'expiry',
          label: 'The new token expires',
          value: SAME,
          choices: [[SAME, 'after the same time as the old one'], ...LIFETIMES],
        }),
      ],
    }),
  })
}

/** Gives the new token the same lifetime as the old one. */
const SAME = 'same'
