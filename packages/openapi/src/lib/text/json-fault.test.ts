import { expect, it } from 'vitest'
import { findJsonFault } from './json-fault.ts'

// RFC 8259 §2 to §7
it.each([
  'null',
  ' true\r\n',
  '\tfalse',
  '0',
  '-0',
  '-1.5e+10',
  '1E5',
  '10e-2',
  '""',
  '[]',
  '{}',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"',
  '"é\u2028"',
  '[1, [2], {"a": {}}]',
  '{"a": [], "b": "c", "": null}',
  '{"a":1,"a":2}',
])('the JSON text %j does not have a fault', (text) => {
  expect(() => JSON.parse(text)).not.toThrow()
  expect(findJsonFault(text)).toBe(null)
})

it.each([
  ['', 0, 'a value'],
  ['  ', 2, 'a value'],
  ['-', 0, 'a value'],
  ['1.', 1, 'the end of the text'],
  ['1e', 1, 'the end of the text'],
  ['nul', 0, 'a value'],
  ['nulll', 4, 'the end of the text'],
  ['\u00a0null', 0, 'a value'],
  ['null null', 5, 'the end of the text'],
  ['[1 2]', 3, ', or ]'],
  ['[1}', 2, ', or ]'],
  ['{"a":1]', 6, ', or }'],
  ['{"a",', 4, ':'],
  ['{"a":1,"b":2,}', 13, 'a name in quotes'],
  ['[{"a":[]},', 10, 'a value'],
  ['{"a":{"b":1}', 12, ', or }'],
  ['"\\u00g0"', 1, 'the rest of a string'],
  ['"a\u001f"', 2, 'the rest of a string'],
  ['"a\\', 2, 'the rest of a string'],
])('%j has a fault at %i: expected %s', (text, offset, expected) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(findJsonFault(text)).toEqual({ offset, expected })
})
