import { BY_HAND } from './by-hand.ts'
import { CONTENDERS, type Contender } from './contenders.ts'

/** The bookshops that are compared over HTTP, ours first. */
export const SERVED: readonly Pick<Contender, 'name' | 'start'>[] = [...CONTENDERS, ...BY_HAND]
