import { answers, type Body, defineFaults, receives } from '../fault.ts'

export const FILTERS_FAULTS = defineFaults([
  {
    check: 'filters.eq-string',
    fault: receives('GET /Users', ({ query }) => {
      const filter = query.get('filter')
      if (filter === null || !/^userName eq "[^"]*\.Ada@/.test(filter)) return null
      return { query: new URLSearchParams({ filter: filter.replace(' eq ', ' ne ') }) }
    }),
  },
  {
    check: 'filters.case-insensitive',
    fault: answers('GET /Users', ({ body }, { query }) => {
      const wanted = /^userName eq "(.*)"$/.exec(query.get('filter') ?? '')?.[1]
      if (wanted === undefined) return
      body.Resources = body.Resources.filter(({ userName }: Body) => userName === wanted)
      body.totalResults = body.Resources.length
    }),
  },
])
