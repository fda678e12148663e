#!/usr/bin/env node
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// The command of `npm start` and of the published package. It is JavaScript, because Node loads its TypeScript compiler
// for a single file of TypeScript, and it runs on every Node, to print which one is needed.

const NODE = 24
if (Number.parseInt(process.versions.node, 10) < NODE) {
  console.error(
    `The directory needs Node ${NODE} or later, not ${process.versions.node}. npm can run it with another Node:

  npx --package=node@${NODE} --package=@plumbline/directory plumbline-directory`,
  )
  process.exit(1)
}

// The cache of the checkout, or of the project that has installed the package.
const FOLDER = new URL(
  import.meta.url.replace(
    /(apps|node_modules\/@plumbline)\/directory\/(src|dist)\/start[.]js$/,
    'node_modules/.cache/plumbline-directory',
  ),
)
// Node goes on without the cache if it cannot write the folder.
const { directory } = module.enableCompileCache(
  process.env.NODE_COMPILE_CACHE || fileURLToPath(FOLDER),
)
// The threads of scans read this variable.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory

// Only files that are imported from now on are cached.
await import('./main.ts')
