import { answers, type Body, type Change, defineFaults, receives, replies } from '../fault.ts'
import { ignores } from './patch.ts'

const DEVICE = 'PATCH /Devices/:id'
const isWithin = (list: string, path: unknown): boolean => String(path).startsWith(`${list}[`)

export const STORED_FAULTS = defineFaults([
  {
    check: 'stored.ids',
    also: {
      'stored.unique-deleted': 'it creates a resource after a deletion as well',
      'stored.extremes': 'it creates a resource after the deletions of the check before',
    },
    fault: reusesIds(),
  },
  {
    check: 'stored.create',
    fault: receives('POST /Devices', ({ body }) => withoutMember(body, 'bought')),
  },
  {
    check: 'stored.minimal',
    fault: replies('POST /Groups', ({ body }) =>
      body?.externalId === undefined ? { status: 400 } : null,
    ),
  },
  {
    check: 'stored.responses',
    fault: answers('POST /Devices', ({ body }) => delete body.slots),
  },
  {
    check: 'stored.texts',
    fault: receives('POST /Devices', ({ body }) => ({
      body: { ...body, comment: body?.comment?.replaceAll("'", '') },
    })),
  },
  {
    check: 'stored.lists',
    fault: receives('POST /Devices', ({ body }) => {
      const ports: readonly Body[] = body?.ports ?? []
      const first = ports.filter(
        ({ type }, at) => ports.findIndex((one) => one.type === type) === at,
      )
      return { body: { ...body, ports: first } }
    }),
  },
  {
    check: 'stored.replace',
    fault: receives('PUT /Devices/:id', ({ body }) => withoutMember(body, 'bought')),
  },
  { check: 'stored.clear', fault: keepsDates() },
  {
    check: 'stored.patch-replace',
    fault: ignores(({ op, path }) => op === 'replace' && path === 'weight', DEVICE),
  },
  {
    check: 'stored.patch-remove',
    fault: ignores(({ op, path }) => op === 'remove' && path === 'bought', DEVICE),
  },
  {
    check: 'stored.patch-add',
    fault: ignores(({ op, path }) => op === 'add' && path === 'bought', DEVICE),
  },
  {
    check: 'stored.patch-members',
    fault: ignores(({ path, value }) => path === undefined && 'bought' in value, DEVICE),
  },
  {
    check: 'stored.patch-lists',
    fault: ignores(({ op, path }) => op === 'add' && path === 'tags', DEVICE),
  },
  {
    check: 'stored.patch-parts',
    fault: ignores(({ op, path }) => op === 'replace' && isWithin('ports', path), DEVICE),
  },
  {
    check: 'stored.patch-selected',
    fault: ignores(({ op, path }) => op === 'remove' && isWithin('ports', path), DEVICE),
  },
  {
    check: 'stored.unique',
    fault: answers('POST /Devices', ({ status, body }) => {
      if (status !== 409) return false
      return delete body.scimType
    }),
  },
  {
    check: 'stored.unique-letter-case',
    fault: comparesLabels((label) => !/[^ -~]/.test(label)),
  },
  { check: 'stored.unique-alphabets', fault: comparesLabels((label) => /[^ -~]/.test(label)) },
  {
    check: 'stored.unique-change',
    fault: answers('PUT /Devices/:id', (answer) => {
      if (answer.status !== 409) return false
      answer.status = 200
      return true
    }),
  },
  {
    check: 'stored.unique-own',
    fault: replies('PUT /Devices/:id', ({ body }) =>
      isSwapped(body?.label) ? { status: 409, body: { scimType: 'uniqueness' } } : null,
    ),
  },
  { check: 'stored.unique-deleted', fault: keepsSerials() },
  {
    check: 'stored.extremes',
    // A column of 32 bits.
    fault: receives('POST /Devices', ({ body }) =>
      body?.slots > 2 ** 31 - 1 ? { body: { ...body, slots: 2 ** 31 - 1 } } : null,
    ),
  },
])

function withoutMember(body: Body, name: string): { readonly body: Body } {
  const { [name]: _, ...others } = body
  return { body: others }
}

/** Whether a label is not one of the words that are sent, but one in the other letter case. */
function isSwapped(label: unknown): boolean {
  return /^([A-Z]{3,}|[a-z][A-Z]+)\b/.test(String(label))
}

/** Gives a device that is created after a device and the deletion of one the id of the deleted one. */
function reusesIds(): Change {
  return (correct) => {
    let last: readonly string[] = []
    return async (request) => {
      const { pathname } = new URL(request.url)
      const [first, second = ''] = last
      const one = `${request.method} ${pathname}`
      last = [...last.slice(-1), one]
      const response = await correct(request)
      const isReused =
        one === first && one.endsWith('POST /scim/v2/Devices') && second.startsWith('DELETE ')
      if (!isReused) return response
      const body: Body = await response.json()
      const { status, headers } = response
      return Response.json({ ...body, id: second.split('/').at(-1) }, { status, headers })
    }
  }
}

/** Keeps the date of a device that a PUT leaves out. */
function keepsDates(): Change {
  return (correct) => {
    const dates = new Map<string, string>()
    const created = answers('POST /Devices', ({ body }) => {
      dates.set(`/Devices/${body.id}`, body.bought)
      return false
    })
    const replaced = receives('PUT /Devices/:id', ({ path, body }) => ({
      body: { bought: dates.get(path), ...body },
    }))
    return replaced(created(correct))
  }
}

/** Regards the letter case of the labels that are selected. */
function comparesLabels(isSelected: (label: string) => boolean): Change {
  const known = new Map<string, string>()
  return receives('POST /Devices', ({ body }) => {
    const label = String(body?.label)
    const first = known.get(label.toLowerCase()) ?? label
    known.set(label.toLowerCase(), first)
    if (first === label || !isSelected(label)) return null
    return { body: { ...body, label: crypto.randomUUID() } }
  })
}

/** Rejects the serial of a deleted device. */
function keepsSerials(): Change {
  const known = new Set<string>()
  return replies('POST /Devices', ({ body }) => {
    if (known.has(body?.serial)) return { status: 409, body: { scimType: 'uniqueness' } }
    known.add(body?.serial)
    return null
  })
}
