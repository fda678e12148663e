/**
 * How many times longer this machine takes now than an idle machine with two processors of 2026 for work like that of the
 * server: writing and parsing JSON. At least 1. Other load and a slower processor lengthen every measured time alike.
 */
export function measureSlowness(): number {
  const started = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round += 1) JSON.parse(JSON.stringify(DOCUMENT))
  const { user, system } = process.cpuUsage(started)
  return Math.max(1, (user + system) / 1_000 / IDLE)
}

const ROUNDS = 10
/** The processor time of the rounds on an idle machine, in milliseconds. */
const IDLE = 55
/** About a megabyte of JSON. */
const DOCUMENT = Array.from({ length: 5_000 }, (_, at) => ({
  id: `user-${at}`,
  userName: `person.${at}@example.com`,
  name: { givenName: 'Ada', familyName: `Sample ${at}` },
  emails: [{ value: `person.${at}@example.com`, type: 'work', primary: true }],
  active: at % 2 === 0,
}))
