import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderByDependency } from './dependency-order.ts'

describe('dependency order (RFC 7644 §3.7.1)', () => {
  it.each<[string, number[][], number[][]]>([
    ['of no operations is empty', [], []],
    ['keeps the order without dependencies', [[], [], []], [[0], [1], [2]]],
    ['puts a later dependency first', [[2], [], []], [[2], [0], [1]]],
    ['puts a chain in reverse', [[1], [2], []], [[2], [1], [0]]],
    ['keeps an order that is already right', [[], [0], [0, 1]], [[0], [1], [2]]],
    ['returns a node that depends on itself as a single node', [[0], []], [[0], [1]]],
    ['sorts a cycle by number', [[2], [0], [1]], [[0, 1, 2]]],
    ['puts a cycle before its dependent', [[1], [2], [1]], [[1, 2], [0]]],
    ["puts a cycle's dependencies before it", [[1], [0, 2], []], [[2], [0, 1]]],
    ['joins two cycles that share a node', [[1], [0, 2], [1]], [[0, 1, 2]]],
    [
      'keeps a closed cycle out of a later one',
      [[1], [0], [3, 0], [2]],
      [
        [0, 1],
        [2, 3],
      ],
    ],
  ])('dependency order %s', (_, dependencies, groups) => {
    expect(orderByDependency(dependencies)).toEqual(groups)
  })

  it('nodes that depend on each other form one group, after the groups they depend on', () => {
    const graph = fc.integer({ min: 1, max: 8 }).chain((count) =>
      fc.array(fc.array(fc.nat({ max: count - 1 }), { maxLength: 3 }), {
        minLength: count,
        maxLength: count,
      }),
    )
    fc.assert(
      fc.property(graph, (dependencies) => {
        const groups = orderByDependency(dependencies)
        const place = new Map(groups.flatMap((group, at) => group.map((node) => [node, at])))
        expect([...place.keys()].sort()).toEqual([...dependencies.keys()])
        const reachable = reachableFrom(dependencies)
        for (const [one, targets] of reachable.entries()) {
          for (const two of targets) {
            const isMutual = reachable[two]?.has(one) === true
            expect(place.get(one) === place.get(two)).toBe(one === two || isMutual)
            expect(place.get(two)).toBeLessThanOrEqual(place.get(one) ?? -1)
          }
        }
        for (const group of groups) expect(group).toEqual(group.toSorted((a, b) => a - b))
      }),
      { numRuns: 300 },
    )
  })
})

/** For each node, the nodes it depends on directly or indirectly. */
function reachableFrom(dependencies: readonly (readonly number[])[]): Set<number>[] {
  const reachable = dependencies.map((targets) => new Set(targets))
  for (const [middle, beyond] of reachable.entries()) {
    for (const found of reachable) {
      if (found.has(middle)) for (const target of beyond) found.add(target)
    }
  }
  return reachable
}
