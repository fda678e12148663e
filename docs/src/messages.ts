import { createDocument, isFailure, parse } from '@plumbline/openapi'
import {
  rejectedDocuments,
  rejectedOperations,
  rejectedSchemas,
} from '../../packages/openapi/src/lib/document/build.cases.ts'
import {
  rejectedHeads,
  rejectedShapes,
  rejectedYaml,
} from '../../packages/openapi/src/lib/text/parse.cases.ts'

/** Collects the message for each build fault code, from the first test with this code. */
export function buildMessages(): Map<string, string> {
  const messages = new Map<string, string>()
  for (const row of [...rejectedOperations, ...rejectedDocuments, ...rejectedSchemas]) {
    const info = { title: 'Books', version: '1.0.0' }
    const built = createDocument({ info, ...row.options })
      .add(...row.operations)
      .build()
    if (!isFailure(built)) continue
    for (const { code, operationId, pointer, message } of built.error.errors) {
      const place = `${operationId ?? 'the document'}, at ${pointer === '' ? 'its root' : pointer}`
      if (!messages.has(code)) messages.set(code, `${message}\n  (${place})`)
    }
  }
  return messages
}

/** Collects the message for each `parse` code, from the first test with this code. */
export function parseMessages(): Map<string, string> {
  const messages = new Map<string, string>()
  for (const [, text] of [...rejectedHeads, ...rejectedShapes, ...rejectedYaml]) {
    const parsed = parse(text)
    if (isFailure(parsed) && !messages.has(parsed.error.code)) {
      messages.set(parsed.error.code, parsed.error.message)
    }
  }
  const json = parse('{"openapi":"3.1.1",}')
  if (isFailure(json)) messages.set(json.error.code, json.error.message)
  return messages
}
