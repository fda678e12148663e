import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// The command of `npm start`. It is JavaScript, because Node loads its TypeScript compiler for a single such file.

const FOLDER = new URL('../../../node_modules/.cache/plumbline-directory', import.meta.url)
// Node goes on without the cache if it cannot write the folder.
const { directory } = enableCompileCache(process.env.NODE_COMPILE_CACHE || fileURLToPath(FOLDER))
// The threads of scans read this variable.
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory

// Only files that are imported from now on are cached.
await import('./main.ts')
