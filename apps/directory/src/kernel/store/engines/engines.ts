import type { Engine } from './engine.ts'
import { POSTGRES } from './postgres/engine.ts'
import { SQLITE } from './sqlite/engine.ts'

/** Every kind of database the directory can use. */
export const ENGINES: readonly Engine[] = [SQLITE, POSTGRES]
