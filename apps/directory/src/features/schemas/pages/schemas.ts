import { html } from 'hono/html'
import { TYPE_NAMES } from '../../../kernel/resources/resource-types.ts'
import { alert } from '../../../shell/console/components/alert.ts'
import { card } from '../../../shell/console/components/card.ts'
import { form, textArea } from '../../../shell/console/components/form.ts'
import { buttonLink, emptyState, table } from '../../../shell/console/components/table.ts'
import { code, codeBlock } from '../../../shell/console/components/text.ts'
import { type Confirmation, confirmed } from '../../../shell/console/confirm.ts'
import { type ConsoleContext, on, type Section } from '../../../shell/console/context.ts'
import { detailOf, expectStatus, notFound } from '../../../shell/console/faults.ts'
import { findTenant } from '../../../shell/console/find-tenant.ts'
import type { Html } from '../../../shell/console/html.ts'
import { routes } from '../../../shell/console/routes.ts'
import { TYPE_PAGES } from '../../../shell/console/type-pages.ts'

type Context = ConsoleContext<{ readonly tenantId: string }>
type SchemaContext = ConsoleContext<{ readonly tenantId: string; readonly schemaId: string }>

/** A tenant's extension schemas (RFC 7643 §7). */
export const schemasSection: Section = {
  tenantLink: {
    text: 'Schemas',
    icon: 'id-badge',
    group: 'Directory',
    href: (params) => routes.schemas.href(params),
  },
  pages: [
    on(routes.schemas, (context) => showSchemas(context)),
    on(routes.createSchema, createSchema),
    on(routes.schema, (context) => showSchema(context)),
    on(routes.changeSchema, changeSchema),
    on(routes.deleteSchema, confirmed(askToDelete, deleteSchema)),
  ],
}

async function createSchema(context: Context): Promise<Response> {
  const { tenantId } = context.params
  const body = parseJson(context.form.get('schema'))
  if (body === undefined) return await showSchemas(context, [NOT_JSON])
  const answer = await context.api.createSchema({ params: { tenantId }, body })
  const faults = faultsOf(answer)
  if (faults.length > 0) return await showSchemas(context, faults)
  const { id } = expectStatus(answer, 201).body
  const href = routes.schema.href({ tenantId, schemaId: id })
  return context.redirect(href, { message: `The schema ${id} was registered.` })
}

async function changeSchema(context: SchemaContext): Promise<Response> {
  const { tenantId, schemaId } = context.params
  const body = parseJson(context.form.get('schema'))
  if (body === undefined) return await showSchema(context, [NOT_JSON])
  const answer = await context.api.replaceSchema({ params: { tenantId, schemaId }, body })
  const faults = faultsOf(answer)
  if (faults.length > 0) return await showSchema(context, faults)
  expectStatus(answer, 200)
  const href = routes.schema.href({ tenantId, schemaId })
  return context.redirect(href, { message: 'The schema was changed.' })
}

async function askToDelete(context: SchemaContext): Promise<Confirmation> {
  const { schemaId } = context.params
  return {
    question: `Delete the schema ${schemaId}?`,
    consequence: html`<p>Its attributes are ignored then. A schema whose attributes have values cannot be deleted.</p>`,
    submit: 'Delete this schema',
    back: routes.schema.href(context.params),
    tenant: await findTenant(context),
  }
}

async function deleteSchema(context: SchemaContext): Promise<Response> {
  const { tenantId, schemaId } = context.params
  const answer = await context.api.deleteSchema({ params: { tenantId, schemaId } })
  const faults = faultsOf(answer)
  if (faults.length > 0) return await showSchema(context, faults)
  expectStatus(answer, 204)
  const message = `The schema ${schemaId} was deleted.`
  return context.redirect(routes.schemas.href({ tenantId }), { message })
}

async function showSchemas(context: Context, faults: readonly string[] = []): Promise<Response> {
  const { tenantId } = context.params
  const tenant = await findTenant(context)
  const { schemas } = expectStatus(
    await context.api.listSchemas({ params: { tenantId } }),
    200,
  ).body
  return await context.page({
    title: 'Schemas',
    tenant,
    status: faults.length === 0 ? 200 : 422,
    actions: buttonLink('#create', 'Register a schema', { isPrimary: false }),
    body: html`<p>An extension schema adds attributes to the ${TYPES} of this tenant, for the custom attribute mappings of a provider.</p>
${table({
  caption: 'The extension schemas of this tenant',
  columns: [
    {
      title: 'Name',
      cell: ({ id, name }) =>
        html`<a href="${routes.schema.href({ tenantId, schemaId: id })}">${name}</a>`,
    },
    { title: 'URN', cell: ({ id }) => code(id) },
    { title: 'Extends', cell: ({ resourceType }) => resourceType },
    {
      title: 'Attributes',
      cell: ({ attributes }) => attributes.map(({ name }) => name).join(', '),
    },
  ],
  rows: schemas,
  empty: emptyState(
    'A schema has not been registered yet.',
    buttonLink('#create', 'Register a schema'),
  ),
})}
${card({
  title: 'Register a schema',
  id: 'create',
  body: html`${faultList(faults)}
${form(context, {
  action: routes.createSchema.href({ tenantId }),
  submit: 'Register schema',
  body: textArea({
    name: 'schema',
    label: 'Schema',
    isRequired: true,
    rows: 24,
    hint: 'The JSON of RFC 7643 §7, with the resource type that it extends.',
    value: context.form.get('schema') ?? EXAMPLE,
  }),
})}`,
})}`,
  })
}

async function showSchema(
  context: SchemaContext,
  faults: readonly string[] = [],
): Promise<Response> {
  const { tenantId, schemaId } = context.params
  const tenant = await findTenant(context)
  const answer = await context.api.getSchema({ params: { tenantId, schemaId } })
  if (answer.status === 404) throw notFound(`The schema ${schemaId}`)
  const schema = expectStatus(answer, 200).body
  const json = JSON.stringify(schema, null, 2)
  return await context.page({
    title: schema.name,
    tenant,
    status: faults.length === 0 ? 200 : 422,
    crumbs: [{ text: 'Schemas', href: routes.schemas.href({ tenantId }) }],
    body: html`${faultList(faults)}
${codeBlock(json, { id: 'current', label: 'The registered schema as JSON' })}
${card({
  title: 'Change',
  body: form(context, {
    action: routes.changeSchema.href({ tenantId, schemaId }),
    submit: 'Change schema',
    body: textArea({
      name: 'schema',
      label: 'Schema',
      isRequired: true,
      rows: 24,
      hint: 'A change that would lose stored values is rejected.',
      value: context.form.get('schema') ?? json,
    }),
  }),
})}
${card({
  title: 'Delete',
  isDangerous: true,
  body: form(context, {
    action: routes.deleteSchema.href({ tenantId, schemaId }),
    submit: 'Delete this schema',
    look: 'danger',
    body: html`<p>A schema whose attributes have values cannot be deleted.</p>`,
  }),
})}`,
  })
}

/** Returns why the API rejected a schema; empty if it did not. */
function faultsOf(answer: { readonly status: number; readonly body: unknown }): readonly string[] {
  if (answer.status === 404) throw notFound('The schema')
  if (answer.status === 409) return [detailOf(answer.body)]
  if (answer.status !== 422) return []
  const { issues }: { readonly issues?: unknown } = Object(answer.body)
  const faults = (Array.isArray(issues) ? issues : []).map(
    ({ pointer, detail }) => `${pointer}: ${detail}`,
  )
  return faults.length > 0 ? faults : [detailOf(answer.body)]
}

function faultList(faults: readonly string[]): Html | '' {
  if (faults.length === 0) return ''
  return alert('error', html`<ul>${faults.map((fault) => html`<li>${fault}</li>`)}</ul>`, {
    role: 'alert',
  })
}

/** Parses a JSON text; undefined if it is not valid. The API checks the value. */
function parseJson(text: string | null) {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** The resource types in a sentence, such as `users or groups`. */
const TYPES = TYPE_PAGES.map(({ title }) => title.toLowerCase()).join(' or ')

const NOT_JSON = 'The schema is not valid JSON.'

/** A schema to start from. */
const EXAMPLE = JSON.stringify(
  {
    resourceType: TYPE_NAMES[0],
    id: `urn:ietf:params:scim:schemas:extension:example:2.0:${TYPE_NAMES[0]}`,
    name: 'Example',
    attributes: [
      { name: 'badgeNumber', type: 'string', description: 'The number on the badge' },
      { name: 'skills', type: 'string', multiValued: true },
    ],
  },
  null,
  2,
)
