import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { validate } from '@hyperjump/json-schema/openapi-3-1'
import type { OpenAPI } from '@plumbline/openapi'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { resolve } from 'swagger-client'

/** Validates a document by independent rules; returns a line for each error. */
export type Validator = (document: OpenAPI.Document) => Promise<readonly string[]>

/** Independent validators; each finds errors that another misses. */
export const validators: Readonly<Record<string, Validator>> = {
  'the OpenAPI 3.1 schema': async (document) => {
    const output = await validate(
      'https://spec.openapis.org/oas/3.1/schema-base',
      plain(document),
      'BASIC',
    )
    if (output.valid) return []
    return (output.errors ?? []).map(
      ({ instanceLocation, absoluteKeywordLocation }) =>
        `${instanceLocation}: ${absoluteKeywordLocation}`,
    )
  },
  'the rules of the specification': (document) => lint(document, 'spec'),
  'the recommended rules': (document) => lint(document, 'recommended'),
  'a resolver of references': async (document) => {
    const { errors } = await resolve({ spec: plain(document) })
    return errors.map(({ message }) => message)
  },
  'a generator of types and the compiler that reads them': async (document) => {
    const source = await generate(document)
    return 'fault' in source ? [source.fault] : await compile(source.text)
  },
}

/** The document as a reader of the file parses it. */
function plain(document: OpenAPI.Document) {
  return JSON.parse(JSON.stringify(document))
}

async function lint(document: OpenAPI.Document, rules: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: [rules] })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return problems.map(({ ruleId, message, location }) => {
    const places = location.map(({ pointer }) => pointer)
    return `${ruleId} at ${places.join(', ')}: ${message}`
  })
}

async function generate(
  document: OpenAPI.Document,
): Promise<{ readonly text: string } | { readonly fault: string }> {
  try {
    return {
      text: astToString(await openapiTypescript(JSON.stringify(document))),
    }
  } catch (error) {
    return { fault: String(error) }
  }
}

/** Compiles in a separate folder, so that packages installed here cannot be resolved. */
async function compile(text: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-types-'))
  try {
    const file = join(folder, 'openapi.ts')
    await writeFile(file, text)
    const options = ['--noEmit', '--strict', '--target', 'es2023', '--types', '', file]
    return await new Promise((done) => {
      execFile(
        process.execPath,
        [COMPILER, ...options],
        { cwd: folder },
        (error, output, errors) => {
          done(error ? `${output}${errors}`.trim().split('\n') : [])
        },
      )
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The compiler of this repository, not the one that the generator installs. */
const root = createRequire(new URL('../package.json', import.meta.url))
const COMPILER = join(dirname(root.resolve('typescript/package.json')), 'bin/tsc')
