import { pointerOf } from '@plumbline/problem/core'
import type * as OpenAPI from '../openapi.ts'
import type { DocumentOptions } from './builder.ts'
import { NAME } from './component-name.ts'
import type { Report } from './faults.ts'

/** Checks the names of default problems. */
export function checkDefaults(
  { problems = {}, defaults = {} }: DocumentOptions,
  report: Report,
): void {
  for (const name of new Set(Object.values(defaults))) {
    if (Object.hasOwn(problems, name)) continue
    report({ operationId: null, pointer: '' }, { code: 'unknown-problem', name })
  }
}

/** Checks the URLs of servers. */
export function checkServers(servers: readonly OpenAPI.Server[], report: Report): void {
  for (const [at, { url }] of servers.entries()) {
    // OpenAPI 3.1.1 §4.8.5.1: a url may contain variables in braces, also as the port.
    const filled = url.replace(/:\{[^}]*\}/g, ':1').replace(/\{[^}]*\}/g, 'x')
    if (/^[^:/]+:\/\//.test(filled) && URL.canParse(filled)) continue
    const place = { operationId: null, pointer: `/servers/${at}/url` }
    report(place, { code: 'relative-server-url', url })
  }
}

/** Checks component names, except schema names, which are checked at each use. */
export function checkNames(components: Readonly<Record<string, object>>, report: Report): void {
  for (const [kind, named] of Object.entries(components)) {
    // A problem's example has the response's name.
    if (kind === 'schemas' || kind === 'examples') continue
    for (const name of Object.keys(named)) {
      if (NAME.test(name)) continue
      const pointer = pointerOf(['components', kind, name])
      report(
        { operationId: null, pointer },
        { code: 'invalid-component-name', name: JSON.stringify(name) },
      )
    }
  }
}
