import { readFileSync } from 'node:fs'
import { type OpenAPI, parse, stringify } from '@plumbline/openapi'
import { unwrap } from '@plumbline/result'
import { describe, expect, it } from 'vitest'

function read(file: string): OpenAPI.Document {
  return unwrap(parse(readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8')))
}

describe.each(['books', 'webhooks-only'])('the document %s', (name) => {
  it('the document is equal in JSON and in YAML', () => {
    expect(read(`${name}.yaml`)).toStrictEqual(read(`${name}.json`))
  })

  it('the document is written and read unchanged in both formats', () => {
    const document = read(`${name}.yaml`)
    for (const format of ['json', 'yaml'] as const) {
      const text = unwrap(stringify(document, { format }))
      expect(unwrap(parse(text))).toStrictEqual(document)
      expect(unwrap(stringify(unwrap(parse(text)), { format }))).toBe(text)
    }
  })
})

describe('the document books', () => {
  it('the document has every field in the file', () => {
    const { info, paths, components, ...rest } = read('books.yaml')
    expect(info.description).toBe('# Books\n\nLends books: one at a time.\n')
    expect(Object.keys(paths?.['/books/{bookId}']?.get?.responses ?? {})).toStrictEqual([
      '200',
      '4XX',
      'default',
    ])
    expect(components?.schemas?.Anything).toBe(true)
    expect(rest['x-generated']).toBe(false)
    expect(rest.servers?.[0]?.variables?.region?.enum).toStrictEqual(['eu', 'us', 'no'])
  })
})
