/**
 * Orders nodes so each comes after the nodes it depends on. Otherwise they keep their numeric order. Nodes depending on
 * each other form one group. Every other group is a single node.
 *
 * Tarjan's algorithm, with an explicit stack: a chain may be as long as the request.
 */
export function orderByDependency(dependencies: readonly (readonly number[])[]): number[][] {
  const groups: number[][] = []
  /** When a node was first seen, from 0. */
  const seen = new Map<number, number>()
  /** The earliest open node reachable from a node. */
  const earliest = new Map<number, number>()
  const open: number[] = []
  const isOpen = new Set<number>()

  const enter = (node: number): Visit => {
    seen.set(node, seen.size)
    earliest.set(node, seen.size - 1)
    open.push(node)
    isOpen.add(node)
    return { node, next: 0 }
  }
  const reach = (node: number, time: number | undefined): void => {
    const known = earliest.get(node)
    if (known !== undefined && time !== undefined && time < known) earliest.set(node, time)
  }

  for (const root of dependencies.keys()) {
    if (seen.has(root)) continue
    const visits = [enter(root)]
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { node } = visit
      const target = dependencies[node]?.[visit.next]
      if (target !== undefined) {
        visit.next += 1
        if (!seen.has(target)) visits.push(enter(target))
        else if (isOpen.has(target)) reach(node, seen.get(target))
        continue
      }
      visits.pop()
      const caller = visits.at(-1)
      if (caller) reach(caller.node, earliest.get(node))
      if (earliest.get(node) !== seen.get(node)) continue
      const group = open.splice(open.lastIndexOf(node))
      for (const member of group) isOpen.delete(member)
      groups.push(group.sort((a, b) => a - b))
    }
  }
  return groups
}

/** A node whose dependencies are being visited. */
interface Visit {
  readonly node: number
  next: number
}
