import type { Check } from './check.ts'

/** The sentence of a standard a check proves. */
export type Rule = Pick<Check, 'section' | 'level' | 'quote'>

type RuleName =
  | 'statusCodes'
  | 'matching'
  | 'withUrn'
  | 'sameValue'
  | 'unassigned'
  | 'putReplaces'
  | 'projections'
  | 'uniqueUserName'
  | 'ifMatch'
  | 'overridden'
  | 'patchReplaces'
  | 'asByGet'
  | 'caseExact'
  | 'anyCase'
  | 'groupsOfUser'
  | 'userName'

/** Sentences several checks prove. */
export const RULES: Readonly<Record<RuleName, Rule>> = {
  /** Statuses such as 400, 401 and 404 are a SHOULD; only the error document is a MUST. */
  statusCodes: {
    section: 'RFC 7644 §3.12',
    level: 'SHOULD',
    quote: 'Implementers SHOULD handle the identified HTTP status codes',
  },
  matching: {
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    quote: 'only those resources matching the filter expression SHALL',
  },
  withUrn: {
    section: 'RFC 7644 §3.10',
    level: 'defined',
    quote: 'prefixing the attribute name with its schema URN',
  },
  /** Brackets are optional. Those who accept them must evaluate them. */
  sameValue: {
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    quote: 'expressions MUST be applied to the same value',
  },
  unassigned: {
    section: 'RFC 7644 §3.5.2.2',
    level: 'MUST',
    quote: 'and the attribute SHALL be considered unassigned',
  },
  putReplaces: {
    section: 'RFC 7644 §3.5.1',
    level: 'MUST',
    quote: 'Any values provided SHALL replace the existing attribute',
  },
  projections: {
    section: 'RFC 7644 §3.4.2.5',
    level: 'MUST',
    quote: 'OPTIONAL parameters, which MUST be supported by SCIM',
  },
  uniqueUserName: {
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    quote: 'This identifier MUST be unique across the service',
  },
  ifMatch: {
    section: 'RFC 9110 §13.1.1',
    level: 'MUST',
    quote: 'that evaluates an If-Match condition MUST NOT perform',
  },
  overridden: {
    section: 'RFC 7644 §3.9',
    level: 'MUST',
    quote: 'the default list of attributes SHALL be overridden',
  },
  patchReplaces: {
    section: 'RFC 7644 §3.5.2.3',
    level: 'defined',
    quote: 'is a single-value attribute, the attributes value is',
  },
  asByGet: {
    section: 'RFC 7644 §3.4.3',
    level: 'defined',
    quote: 'a response is returned as specified in Section',
  },
  caseExact: {
    section: 'RFC 7644 §3.4.2.2',
    level: 'MUST',
    quote: 'String type attributes SHALL be determined by the',
  },
  anyCase: {
    section: 'RFC 7644 §3.10',
    level: 'defined',
    quote: 'fully encoded attribute name are case insensitive',
  },
  groupsOfUser: {
    section: 'RFC 7643 §4.1.2',
    level: 'defined',
    quote: 'A list of groups to which the user',
  },
  userName: {
    section: 'RFC 7643 §4.1.1',
    level: 'MUST',
    quote: 'Each User MUST include a non-empty userName value.',
  },
}
