import { expect, it } from 'vitest'
import { setOwn } from './object.ts'

it.each(['__proto__', 'constructor', 'a'])(
  'a member named %s is set like any other, without changing the prototype',
  (name) => {
    const object: Record<string, unknown> = {}
    setOwn(object, name, 1)
    setOwn(object, name, 2)
    expect(Object.getOwnPropertyDescriptors(object)).toEqual({
      [name]: { value: 2, enumerable: true, configurable: true, writable: true },
    })
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype)
  },
)
