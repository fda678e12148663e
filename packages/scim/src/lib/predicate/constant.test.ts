import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { parseFilter } from '../filter/parse.ts'
import { translatePresent } from './comparison.ts'
import { translateConstant } from './constant.ts'
import { logical } from './predicate.ts'

it.each([
  ['type eq "WORK"', true],
  ['type ne "work"', false],
  ['type sw "w"', true],
  ['type gt "z"', false],
  ['type eq null', false],
  ['type ne null', true],
])('%s is %s in every row with the type "work"', (filter, matches) => {
  const expression = unwrap(parseFilter(filter))
  if (expression.type !== 'compare') throw new TypeError('not a comparison')
  const [every, none] = [logical('and', []), logical('or', [])]
  const [exact, negation] = matches ? [every, none] : [none, every]
  expect(translateConstant(expression, 'work', false)).toEqual({ exact })
  expect(translateConstant(expression, 'work', true)).toEqual({ exact: negation })
})

it('a constant is present in every row', () => {
  const column = { kind: 'constant', value: 'work' } as const
  const present = unwrap(parseFilter('type pr'))
  if (present.type !== 'present') throw new TypeError('not a test of presence')
  const all = { escapes: true, negations: true, selections: true }
  const translate = (negated: boolean) => translatePresent(present, column, negated, all)
  expect(translate(false)).toEqual({ exact: logical('and', []) })
  expect(translate(true)).toEqual({ exact: logical('or', []) })
})
