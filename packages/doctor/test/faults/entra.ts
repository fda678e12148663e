import { ENTERPRISE_USER_SCHEMA } from '@plumbline/scim'
import { PROFILES } from '@plumbline/scim/endpoint'
import { answers, type Body, defineFaults, receives, reference, replies } from '../fault.ts'
import { afterwards, ignores, operations } from './patch.ts'

const { entra } = PROFILES
const MANAGER = `${ENTERPRISE_USER_SCHEMA}:manager`
const PHONE = 'phoneNumbers[type eq "work"].value'
const UUID = /^(userName|displayName) eq "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/

/** Answers 404 to a filter for a random name. */
const notFound = (route: string) =>
  answers(route, (answer, { query }) => {
    if (UUID.test(query.get('filter') ?? '')) answer.status = 404
  })

/** Rejects new resources with a body that matches. */
const rejects = (route: string, matches: (body: Body) => boolean) =>
  answers(route, (answer, { body }) => {
    if (matches(body)) answer.status = 400
  })

/** Ignores operations without a path whose value has the member. */
const ignoresKey = (key: string) =>
  ignores(
    ({ path, value }) => path === undefined && value !== undefined && Object.hasOwn(value, key),
  )

/** Without one deviation of the profile. */
const without = (tolerance: string) =>
  reference({
    profile: { ...entra, patch: entra.patch.filter((one) => one !== tolerance) },
  })

/** Whether an operation disables a user as Entra ID does. */
const disables = ({ op, path, value }: Body) =>
  op === 'Replace' && path === 'active' && value === false

/** Changes the status of requests for users that were disabled. */
const afterDisabling = (method: string, status: number) => {
  const disabled = new Set<string>()
  return answers('* /Users/:id', (answer, sent) => {
    if (sent.body?.Operations?.some(disables)) disabled.add(sent.path)
    if (sent.method !== method || !disabled.has(sent.path)) return false
    answer.status = status
    return true
  })
}

export const ENTRA_FAULTS = defineFaults([
  {
    check: 'entra.look-up-external-id',
    fault: replies('GET /Users', ({ query }) =>
      query.get('filter')?.startsWith('externalId eq')
        ? { status: 400, body: { scimType: 'invalidFilter', status: '400' } }
        : null,
    ),
  },
  { check: 'entra.test-connection', fault: notFound('GET /Users') },
  {
    check: 'entra.create',
    fault: rejects('POST /Users', ({ roles, meta }) => roles?.length === 0 && meta !== undefined),
  },
  {
    check: 'entra.create-active-text',
    fault: rejects('POST /Users', ({ active }) => active === 'True'),
  },
  {
    check: 'entra.empty-operations',
    fault: reference({ profile: { ...entra, patchBody: [] } }),
  },
  { check: 'entra.custom-attribute', fault: without('unknown-attributes') },
  { check: 'entra.disable', fault: afterDisabling('GET', 404) },
  { check: 'entra.delete-disabled', fault: afterDisabling('DELETE', 400) },
  {
    check: 'entra.create-enterprise',
    fault: rejects('POST /Users', (body) => body[ENTERPRISE_USER_SCHEMA]?.manager === null),
  },
  {
    check: 'entra.op-case',
    fault: operations((operation) =>
      operation.op === 'Add' ? [{ ...operation, op: 'unknown' }] : null,
    ),
  },
  { check: 'entra.add-creates', fault: ignores(({ op, path }) => op === 'Add' && path === PHONE) },
  { check: 'entra.replace-creates', fault: without('replace-creates') },
  {
    check: 'entra.sub-attribute-case',
    fault: ignores(({ path }) => path === 'emails[type eq "work"].Value'),
  },
  {
    check: 'entra.primary-text',
    fault: ignores(({ path }) => path === 'emails[primary eq "True"].display'),
  },
  { check: 'entra.dotted-keys', fault: ignoresKey('name.givenName') },
  { check: 'entra.urn-keys', fault: ignoresKey(`${ENTERPRISE_USER_SCHEMA}:department`) },
  { check: 'entra.value-path-keys', fault: ignoresKey('emails[type eq "work"].value') },
  {
    check: 'entra.active-text',
    fault: ignores(({ path, value }) => path === 'active' && value === 'False'),
  },
  {
    check: 'entra.list-for-one-value',
    fault: ignores(({ path, value }) => path === 'displayName' && Array.isArray(value)),
  },
  {
    check: 'entra.manager-text',
    fault: ignores(({ path, value }) => path === MANAGER && typeof value === 'string'),
  },
  {
    check: 'entra.manager-list',
    fault: ignores(({ path, value }) => path === MANAGER && Array.isArray(value)),
  },
  {
    check: 'entra.manager-empty',
    fault: afterwards(
      ({ path, value }) => path === MANAGER && value === '',
      (user) => {
        user[ENTERPRISE_USER_SCHEMA] = { manager: { value: 'unknown' } }
      },
    ),
  },
  { check: 'entra.group-look-up', fault: notFound('GET /Groups') },
  {
    check: 'entra.group-schema',
    fault: rejects('POST /Groups', ({ schemas }) => schemas?.length === 2),
  },
  {
    check: 'entra.duplicate-group',
    fault: reference({ profile: { ...entra, unique: {} } }),
  },
  {
    check: 'entra.add-members',
    fault: receives('PATCH /Groups/:id', ({ body }) =>
      body.Operations?.length === 2 && body.Operations[0].op === 'Add'
        ? { body: { ...body, Operations: body.Operations.slice(0, 1) } }
        : null,
    ),
  },
  {
    check: 'entra.remove-members',
    fault: operations(
      ({ op, path, value }) =>
        op === 'Remove' && value?.[0].$ref === null ? [{ op, path }] : null,
      'PATCH /Groups/:id',
    ),
  },
  { check: 'entra.remove-absent-member', fault: without('remove-missing') },
])
