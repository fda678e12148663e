import { expect, it } from 'vitest'
import { type Format, negotiate } from './negotiate.ts'

function formatOf(query: string, accept: string | null): Format {
  const headers = accept === null ? undefined : { Accept: accept }
  return negotiate(new Request(`http://localhost/openapi.json${query}`, headers && { headers }))
}

// RFC 9110 §12.5.1, and JSON if both types have the same weight.
it.each<[accept: string | null, format: Format]>([
  [null, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['APPLICATION/YAML', 'yaml'],
  ['application/yaml;charset=utf-8', 'yaml'],
  ['application/json, application/yaml', 'json'],
  ['application/yaml, application/json', 'json'],
  ['application/yaml, */*', 'json'],
  ['application/yaml, */*;q=0.8', 'yaml'],
  ['*/*;q=0.8, application/yaml', 'yaml'],
  ['application/json;q=0.5, application/yaml', 'yaml'],
  ['application/json;q=0.5, application/yaml;q=0.4', 'json'],
  ['application/json;q=0.5,application/yaml;q=0.501', 'yaml'],
  ['application/json ; Q=0.5 , application/yaml', 'yaml'],
  // The most specific range counts: JSON with weight 0 is rejected, whatever `*/*` accepts.
  ['application/json;q=0, */*', 'yaml'],
  ['application/json;q=0, application/*;q=0.1', 'yaml'],
  ['application/yaml;q=0, */*', 'json'],
  ['application/yaml;q=0.1, application/*', 'json'],
  ['application/*;q=0.1, */*', 'json'],
  ['application/*;q=0.1, application/yaml', 'yaml'],
  ['application/json;q=0.5, */*;q=0.8, application/*;q=0.1', 'json'],
  // The first of two equal ranges counts.
  ['application/yaml;q=0.9, application/yaml;q=0.1, application/json;q=0.5', 'yaml'],
  // Neither is wanted: answer with JSON rather than with 406 (RFC 9110 §12.4.1).
  ['text/html', 'json'],
  ['application/json;q=0, application/yaml;q=0', 'json'],
  // An invalid weight is 0.
  ['application/yaml;q=2', 'json'],
  ['application/yaml;q=much', 'json'],
  [',,;;==,', 'json'],
  // RFC 9110 §5.6.4: commas and semicolons in quotes are not separators.
  ['application/json;a="b,c";q=0.1, application/yaml;q=0.9', 'yaml'],
  ['application/json;a="\\";q=0";q=1, application/yaml;q=0.9', 'json'],
  ['application/yaml;a="b, application/json', 'yaml'],
  // A quoted string outside of a parameter, which is not valid, is ignored.
  ['"a"application/yaml', 'yaml'],
  ['application/yaml+x', 'json'],
])('Accept %j selects %s', (accept, format) => {
  expect(formatOf('', accept)).toBe(format)
})

it.each<[query: string, accept: string | null, format: Format]>([
  ['?format=yaml', null, 'yaml'],
  ['?format=yaml', 'application/json', 'yaml'],
  ['?format=yaml', 'application/yaml;q=0', 'yaml'],
  ['?format=json', 'application/yaml', 'json'],
  ['?other=1&format=yaml', null, 'yaml'],
  ['?format=%79aml', null, 'yaml'],
  ['?format=yaml#/paths', null, 'yaml'],
  ['#?format=yaml', null, 'json'],
  ['?format=xml', null, 'json'],
  ['?format=xml', 'application/yaml', 'yaml'],
  ['?format=', 'application/yaml', 'yaml'],
  ['?format', null, 'json'],
  ['?Format=yaml', null, 'json'],
])('the query %j beats Accept %j: %s', (query, accept, format) => {
  expect(formatOf(query, accept)).toBe(format)
})
