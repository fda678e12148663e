import { readFileSync } from 'node:fs'
import { sha256 } from '../../kernel/store/sha256.ts'
import { readIcons, readStyles } from './design.ts'
import { routes } from './routes.ts'

/** The files pages load from their own origin. */
export type AssetName = keyof typeof FILES

/** The scripts' names. */
export type ScriptName = Extract<AssetName, `${string}.js`>

/** Returns a file's URL. It contains a hash, so browsers keep the file until its content changes. */
export function assetHref(name: AssetName): string {
  return routes.asset.href({ name: ASSETS[name].url })
}

/** Serves the file the URL names; null if it does not exist. */
export function serveAsset(request: Request, url: string): Response | null {
  const asset = Object.values(ASSETS).find((one) => one.url === url)
  if (asset === undefined) return null
  const headers = {
    'Content-Type': asset.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: asset.tag,
  }
  if (request.headers.get('If-None-Match') === asset.tag) {
    return new Response(null, { status: 304, headers })
  }
  return new Response(asset.content, { headers })
}

const SCRIPT = 'text/javascript; charset=utf-8'
const FILES = {
  'console.css': 'text/css; charset=utf-8',
  'icons.svg': 'image/svg+xml',
  'icon.svg': 'image/svg+xml',
  'copy.js': SCRIPT,
  'connect.js': SCRIPT,
  'requests.js': SCRIPT,
  'shortcuts.js': SCRIPT,
  'times.js': SCRIPT,
} as const

/** The files are read once: they do not change while the server runs. */
const ASSETS = {
  'console.css': asset('console.css', readStyles()),
  'icons.svg': asset('icons.svg', readIcons()),
  'icon.svg': readAsset('icon.svg'),
  'copy.js': readAsset('copy.js'),
  'connect.js': readAsset('connect.js'),
  'requests.js': readAsset('requests.js'),
  'shortcuts.js': readAsset('shortcuts.js'),
  'times.js': readAsset('times.js'),
}

function readAsset(name: AssetName) {
  return asset(name, readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8'))
}

function asset(name: AssetName, content: string) {
  const hash = sha256(content).slice(0, 16)
  const dot = name.lastIndexOf('.')
  const url = `${name.slice(0, dot)}.${hash}${name.slice(dot)}`
  return { content, url, type: FILES[name], tag: `"${hash}"` }
}
