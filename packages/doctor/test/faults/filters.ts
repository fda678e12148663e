import { answers, type Body, type Change, defineFaults, replies } from '../fault.ts'
import { rejects, rewrites } from './query.ts'

/** Only some of the users that a filter selects are returned. */
const keeps = (pattern: RegExp, isKept: (userName: string, wanted: string) => boolean) =>
  answers('GET /Users', ({ body }, { query }) => {
    const wanted = pattern.exec(query.get('filter') ?? '')?.[1]
    if (wanted === undefined) return
    body.Resources = body.Resources.filter(({ userName }: Body) => isKept(userName, wanted))
    body.totalResults = body.Resources.length
  })

/** Answers a look-up by userName as before, until the next user is created or deleted. */
function cachesLookUps(): Change {
  return (correct) => {
    const cache = new Map<string, Response>()
    return async (request) => {
      const { method, url } = request
      if (method === 'POST' || method === 'DELETE') cache.clear()
      if (method !== 'GET' || !url.includes('?filter=userName%20eq')) return correct(request)
      const response = cache.get(url) ?? (await correct(request))
      cache.set(url, response)
      return response.clone()
    }
  }
}

const OPERATOR_FAULTS = defineFaults([
  {
    check: 'filters.supported',
    fault: replies('GET /Users', ({ query }) =>
      query.get('filter')?.endsWith(' and userName pr')
        ? { status: 501, body: { status: '501' } }
        : null,
    ),
  },
  {
    check: 'filters.eq-string',
    fault: rewrites(/^userName eq ("[^"]*\.Ada@[^"]*")$/, 'userName ne $1'),
  },
  {
    check: 'filters.case-insensitive',
    fault: keeps(/^userName eq "([^"]*)"$/, (userName, wanted) => userName === wanted),
  },
  { check: 'filters.ne', fault: rewrites(/^userName ne ("[^"]*")$/, 'userName eq $1') },
  { check: 'filters.renamed', fault: cachesLookUps() },
  {
    check: 'filters.ne-case-insensitive',
    fault: rewrites(/^userName ne "[^"]*\.ADA@[^"]*"$/, 'userName pr'),
  },
  { check: 'filters.co', fault: rewrites(/^userName co (".Ada@exam")$/, 'userName sw $1') },
  { check: 'filters.sw', fault: rewrites(/^userName sw ("[^"]*.EV")$/, 'userName ew $1') },
  { check: 'filters.ew', fault: rewrites(/^userName ew /, 'userName co ') },
  {
    check: 'filters.parts-case-insensitive',
    fault: keeps(/^userName (?:co|sw|ew) "(.*)"$/, (userName, wanted) => userName.includes(wanted)),
  },
  { check: 'filters.gt-lt', fault: rewrites(/^userName lt /, 'userName le ') },
  { check: 'filters.ge-le', fault: rewrites(/^userName ge /, 'userName gt ') },
  {
    check: 'filters.order-case-insensitive',
    fault: keeps(/^userName gt "(.*)"$/, (userName, wanted) => userName > wanted),
  },
  {
    check: 'filters.case-exact',
    // The values of externalId are found in upper case, too.
    fault: rewrites(/^externalId eq "[-A-Z0-9]*-ADA"$/, 'userName co ".ada@"'),
  },
])

const LOGIC_FAULTS = defineFaults([
  {
    check: 'filters.and',
    fault: rewrites(/^(userName ne "[^"]*") and (userName eq "[^"]*")$/, '$1 or $2'),
  },
  {
    check: 'filters.or',
    fault: rewrites(/^(userName eq "[^"]*") or (userName eq "[^"]*")$/i, '$1 and $2'),
  },
  {
    check: 'filters.and-of-three',
    name: 'the third operand is dropped',
    fault: rewrites(
      /^(userName ne "[^"]*" and userName ne "[^"]*") and userName ne "[^"]*"$/,
      '$1',
    ),
  },
  {
    check: 'filters.and-of-three',
    name: 'the second operand is dropped',
    fault: rewrites(
      /^(userName ne "[^"]*") and userName ne "[^"]*" (and userName ne .*)$/,
      '$1 $2',
    ),
  },
  {
    check: 'filters.or-of-three',
    fault: rewrites(/^(userName eq "[^"]*EVE[^"]*" or userName eq "[^"]*") or .*$/, '$1'),
  },
  { check: 'filters.not', fault: rewrites(/^not \((userName eq "[^"]*")\)$/, '$1') },
  {
    check: 'filters.precedence',
    fault: rewrites(/^(userName eq "[^"]*" or userName eq "[^"]*") and (.*)$/, '($1) and $2'),
  },
  {
    check: 'filters.parentheses',
    fault: rewrites(/^\((userName eq "[^"]*" or [^()]*)\) and /, '$1 and '),
  },
  {
    check: 'filters.negated-group',
    fault: rewrites(
      /^not \((userName eq "[^"]*") and (userName eq "[^"]*")\)$/,
      'not ($1) and not ($2)',
    ),
  },
])

const NAME_FAULTS = defineFaults([
  { check: 'filters.operator-case', fault: rejects(/ EQ /) },
  { check: 'filters.name-case', fault: rejects(/^USERNAME /) },
  { check: 'filters.core-urn', fault: rejects(/^urn:[-a-z:]*core:2.0:User:/) },
  { check: 'filters.urn-case', fault: rejects(/^URN:/) },
  {
    check: 'filters.extension',
    fault: rewrites(/^urn:.*:department (eq "Sales")$/, 'title $1'),
  },
  {
    check: 'filters.sub-attribute',
    fault: rewrites(/^name\.familyName eq "adams"$/, 'name.givenName eq "adams"'),
  },
  { check: 'filters.id', fault: rewrites(/^id eq ("[^"]*")$/, 'externalId eq $1') },
  {
    check: 'filters.external-id',
    fault: rewrites(/^externalId eq ("[^"]*-Ada")$/, 'userName eq $1'),
  },
])

const PRESENCE_FAULTS = defineFaults([
  { check: 'filters.pr', fault: rewrites(/^title pr$/, 'userName pr') },
  { check: 'filters.pr-empty', fault: rewrites(/^(id eq "[^"]*") and title pr$/, '$1') },
  { check: 'filters.ne-missing', fault: rewrites(/^title ne .*$/, 'title pr and $&') },
  { check: 'filters.null', fault: rewrites(/^title eq null$/, 'title eq "null"') },
  { check: 'filters.not-missing', fault: rewrites(/^not \(title .*$/, 'title pr and $&') },
])

const VALUE_FAULTS = defineFaults([
  {
    check: 'filters.escapes',
    fault: rewrites(/^displayName eq "EVE .*$/, 'displayName eq "EVE "'),
  },
  { check: 'filters.unicode', fault: rewrites(/^(displayName eq "Ada M)ü/, '$1Ã¼') },
  { check: 'filters.unicode-escape', fault: rewrites(/^(displayName eq .*)\\u00fc/, '$1u00fc') },
  {
    check: 'filters.multi-valued',
    fault: rewrites(
      /^emails\.value (eq ".*\.ada@home.*")$/,
      'emails[primary eq true and value $1]',
    ),
  },
  { check: 'filters.default-sub-attribute', fault: rejects(/^emails eq /) },
  {
    check: 'filters.boolean',
    also: {
      'declared.filters': 'it compares booleans as well',
    },
    fault: rewrites(/^active eq false$/, 'userName pr'),
  },
  { check: 'filters.boolean-order', fault: rewrites(/^active gt false$/, 'active eq true') },
  {
    check: 'filters.date-order',
    fault: rewrites(/ and meta\.lastModified lt "2000-[^"]*"$/, ''),
  },
  { check: 'filters.date-offset', fault: rewrites(/[-+]05:00"$/, 'Z"') },
  { check: 'filters.integer', fault: rewrites(/^slots gt 9$/, 'slots lt 9', 'GET /Devices') },
])

const REJECTION_FAULTS = defineFaults([
  {
    check: 'filters.no-match',
    fault: replies('GET /Users', ({ query }) =>
      /^userName eq "absent-/.test(query.get('filter') ?? '') ? { status: 404 } : null,
    ),
  },
  {
    check: 'filters.unknown-attribute',
    fault: rewrites(/^plumblineUnknown .*$/, 'userName pr'),
  },
  { check: 'filters.unknown-operator', fault: rewrites(/^userName regex /, 'userName co ') },
  { check: 'filters.malformed', fault: rewrites(/^\(userName pr$/, 'userName pr') },
])

export const FILTERS_FAULTS = [
  ...OPERATOR_FAULTS,
  ...LOGIC_FAULTS,
  ...NAME_FAULTS,
  ...PRESENCE_FAULTS,
  ...VALUE_FAULTS,
  ...REJECTION_FAULTS,
]
