export { compileFilter } from './lib/filter/compile.ts'
export type * as Filter from './lib/filter/namespace.ts'
export { parseFilter, parsePath } from './lib/filter/parse.ts'
export { stringifyFilter, stringifyPath } from './lib/filter/stringify.ts'
