import { unwrap } from '@plumbline/result'
import { expect, it } from 'vitest'
import { PATCH_OP_SCHEMA } from '../constants.ts'
import { parsePatch } from './parse.ts'
import { collectSearchedTexts } from './searched-values.ts'

function collect(...Operations: object[]): string[] {
  const operations = unwrap(parsePatch({ schemas: [PATCH_OP_SCHEMA], Operations }))
  return [...collectSearchedTexts(operations)]
}

it('collects the strings, numbers and booleans of a value, folded', () => {
  const value = [{ value: 'ABC', weight: 5, primary: true, type: null }, 'Plain']
  expect(collect({ op: 'add', path: 'a', value })).toStrictEqual(['abc', '5', 'true', 'plain'])
})

it('collects the values of a filter, with the names of its tree', () => {
  const texts = collect({ op: 'remove', path: 'emails[type eq "Work" and value eq "B"]' })
  expect(texts).toEqual(expect.arrayContaining(['work', 'b']))
})

it('collects from every operation, and nothing from a path without a filter', () => {
  const operations = ['a', 'b'].map((value) => ({ op: 'add', path: 'title', value }))
  expect(collect(...operations, { op: 'remove', path: 'name.givenName' })).toStrictEqual(['a', 'b'])
})

it('collects from eight levels, which no attribute exceeds', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])
  expect(collect({ op: 'add', path: 'a', value: nested(8) })).toStrictEqual(['x'])
  expect(collect({ op: 'add', path: 'a', value: nested(9) })).toStrictEqual([])
})
