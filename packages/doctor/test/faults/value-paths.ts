import { defineFaults } from '../fault.ts'
import { rejects, rewrites } from './query.ts'

export const VALUE_PATHS_FAULTS = defineFaults([
  {
    check: 'value-paths.brackets',
    fault: rewrites(/^emails\[type eq "home"\]$/, 'emails pr'),
  },
  {
    check: 'value-paths.and',
    fault: rewrites(/^emails\[(type eq "work") and value co ".Ada@"\]$/, 'emails[$1]'),
  },
  {
    check: 'value-paths.same-value',
    fault: rewrites(
      /^emails\[type (.*) and value (co "@home.*")\]$/,
      'emails.type $1 and emails.value $2',
    ),
  },
  {
    check: 'value-paths.or',
    fault: rewrites(/^emails\[(type .*) or (value .*)\]$/, 'emails[$1 and $2]'),
  },
  {
    check: 'value-paths.not',
    fault: rewrites(/^emails\[not \((type .*)\)\]$/, 'not (emails[$1])'),
  },
  { check: 'value-paths.boolean', fault: rewrites(/^emails\[primary eq true\]$/, 'emails pr') },
  { check: 'value-paths.combined', fault: rewrites(/^(emails\[type eq "home"\]) and .*$/, '$1') },
  { check: 'value-paths.names', fault: rejects(/:EMAILS\[/) },
  { check: 'value-paths.sub-attribute', fault: rejects(/^emails\[type eq "work"\]\./) },
  { check: 'value-paths.malformed', fault: rewrites(/^emails\[\]$/, 'emails pr') },
])
