import { ENTERPRISE_USER_SCHEMA, USER_SCHEMA } from '@plumbline/scim'
import { answers, type Body, defineFaults, receives } from '../fault.ts'
import { failsFor, hasParameters, requeries } from './query.ts'

const ONE = 'GET /Users/:id'
const only = (attributes: string) => ({ attributes })
const without = (excludedAttributes: string) => ({ excludedAttributes })

/** Changes the response to a projection. */
const projected = (
  route: string,
  sent: Readonly<Record<string, string | null>>,
  change: (body: Body) => void,
) =>
  answers(route, ({ body, status }, { query }) => {
    if (status === 200 && hasParameters(query, sent)) change(body)
  })

export const PROJECTION_FAULTS = defineFaults([
  { check: 'projection.attributes', fault: requeries(only('userName'), { attributes: null }, ONE) },
  {
    check: 'projection.always',
    fault: projected(ONE, only('title'), (body) => delete body.id),
  },
  {
    check: 'projection.sub-attribute',
    fault: requeries(only('name.familyName'), only('name'), ONE),
  },
  {
    check: 'projection.multi-valued',
    fault: requeries(only('emails.value'), only('emails'), ONE),
  },
  { check: 'projection.list', fault: requeries(only('userName'), { attributes: null }) },
  {
    check: 'projection.excluded',
    fault: requeries(without('title,emails,active'), without('title'), ONE),
  },
  {
    check: 'projection.list-excluded',
    fault: receives('GET /Users', ({ query }) => {
      const rest = [...query].filter(([name]) => name !== 'excludedAttributes')
      return { query: new URLSearchParams(rest) }
    }),
  },
  {
    check: 'projection.excluded-sub-attribute',
    also: {
      'declared.excluded': 'it excludes the family name as well',
    },
    fault: requeries(without('name.familyName'), without('name'), ONE),
  },
  {
    check: 'projection.excluded-always',
    fault: projected(ONE, without('id'), (body) => delete body.id),
  },
  { check: 'projection.core-urn', fault: failsFor(only(`${USER_SCHEMA}:userName`), 400, ONE) },
  {
    check: 'projection.extension',
    fault: requeries(
      only(`${ENTERPRISE_USER_SCHEMA}:department`),
      only(ENTERPRISE_USER_SCHEMA),
      ONE,
    ),
  },
  { check: 'projection.name-case', fault: requeries(only('USERNAME'), only('id'), ONE) },
  { check: 'projection.unknown', fault: failsFor(only('userName,plumblineUnknown'), 500, ONE) },
  {
    check: 'projection.never',
    also: { 'answers.never-returned': 'it looks at all responses' },
    fault: projected(ONE, only('password'), (body) => {
      body.password = '$2b$10$abcdefghijklmnopqrstuv'
    }),
  },
  {
    check: 'projection.create',
    fault: requeries(only('userName'), { attributes: null }, 'POST /Users'),
  },
  {
    check: 'projection.replace',
    fault: requeries(only('userName'), { attributes: null }, 'PUT /Users/:id'),
  },
])
