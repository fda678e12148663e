import { type Form, type Forms, required, requireOptions, STRING } from '@plumbline/base'
import { MEDIA_TYPE_JSON } from '../constants.ts'
import type { Document } from '../openapi.ts'
import type { RouteTable } from '../routing/route-table.ts'
import {
  answerRepresentation,
  createRepresentation,
  type Representation,
} from '../serve/representation.ts'

/**
 * A page showing the document with Swagger UI. The application reads both files from the package `swagger-ui-dist` at
 * startup, so the page loads nothing from another origin.
 */
export interface ReferencePage {
  /** The page's path below the base path, such as `/docs`. The page's files are below this path. */
  readonly path: string
  /** The `swagger-ui-bundle.js` file's content. */
  readonly script: string | Uint8Array<ArrayBuffer>
  /** The `swagger-ui.css` file's content. */
  readonly style: string | Uint8Array<ArrayBuffer>
}

/** Finds a request's file from the urls used to match it. */
export type Page = (urls: readonly string[]) => AnswerFile | null

type AnswerFile = (request: Request) => Promise<Response>

/** Prepares the page and its files. Throws a TypeError for options that are not valid, and paths that cannot be served. */
export function createReferencePage(
  page: ReferencePage,
  document: Document,
  routes: Pick<RouteTable<unknown>, 'methodsOf'>,
): Page {
  requireOptions<ReferencePage>('docs', page, FORMS)
  const { path, script, style } = page
  if (!/^(?:\/[\w~-][\w.~-]*)+$/.test(path)) {
    throw new TypeError(`the path of docs is ${JSON.stringify(path)}, expected one such as /docs`)
  }
  const files = new Map([
    [path, defineFile(writePage(path, document), 'text/html; charset=utf-8')],
    [`${path}/start.js`, defineFile(START, JAVASCRIPT)],
    [`${path}/openapi.json`, defineFile(JSON.stringify(document), MEDIA_TYPE_JSON)],
    [`${path}/swagger-ui.js`, defineFile(script, JAVASCRIPT)],
    [`${path}/swagger-ui.css`, defineFile(style, 'text/css; charset=utf-8')],
  ])
  for (const file of files.keys()) {
    if (routes.methodsOf(new Request(`http://localhost${file}`), '').length > 0) {
      throw new TypeError(`the path ${file} of docs belongs to an operation`)
    }
  }
  return (urls) => {
    for (const url of urls) {
      const file = files.get(new URL(url).pathname)
      if (file !== undefined) return file
    }
    return null
  }
}

function defineFile(content: string | Uint8Array<ArrayBuffer>, type: string): AnswerFile {
  let representation: Promise<Representation> | undefined
  return async (request) => {
    const headers = { 'Content-Type': type, ...HEADERS }
    representation ??= createRepresentation(content, headers, { 'Cache-Control': 'no-cache' })
    return answerRepresentation(request, await representation)
  }
}

/** Writes the page. Its links are relative, because a router may have removed a prefix from the URL. */
function writePage(path: string, { info }: Document): string {
  const folder = path.slice(path.lastIndexOf('/') + 1)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(`${info.title} ${info.version}`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/swagger-ui.css">
<script src="${folder}/swagger-ui.js" defer></script>
<script src="${folder}/start.js" defer></script>
</head>
<body><main id="reference"></main></body>
</html>
`
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}

const JAVASCRIPT = 'text/javascript; charset=utf-8'

// Swagger UI's validator is a service on another origin.
const START = `SwaggerUIBundle({
  url: new URL('openapi.json', document.currentScript.src).href,
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
})
`

const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Swagger UI has the icons in the stylesheet, as data.
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}
const CONTENT: Form = required([
  'a string or a Uint8Array',
  (value) => typeof value === 'string' || value instanceof Uint8Array,
])
const FORMS: Forms<ReferencePage> = { path: required(STRING), script: CONTENT, style: CONTENT }
