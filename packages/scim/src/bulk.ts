export { parseBulk } from './lib/bulk/parse.ts'
export { runBulk } from './lib/bulk/run.ts'
export type * as Bulk from './lib/bulk/types.ts'
