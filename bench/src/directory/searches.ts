import { ask, type Setting } from './setting.ts'

const RUNS = 3

/**
 * Times searches by multi-valued attributes, each with `totalResults` and a page of 100 users. If a limit stops a
 * search, the run fails.
 */
export async function searches(setting: Setting): Promise<void> {
  const { what, users } = setting
  const middle = Math.floor(users / 2)
  const path = `/Users?count=1&startIndex=${middle}`
  const [person] = Object((await ask(setting, 'GET', path)).Resources)
  const [{ value: email }] = person.emails
  const filters = [
    `emails.value eq "${email}"`,
    `emails[type eq "work" and value eq "${email}"]`,
    `emails.value sw "${email.slice(0, -12)}"`,
    `emails.value sw "${email.slice(0, 8)}"`,
    'emails.value sw "a"',
    'emails[type eq "work"].value sw "a"',
    'emails.value sw "a" and active eq true',
    'phoneNumbers.value sw "+"',
    'emails.value co "er"',
    'emails.value co "zzz"',
    'emails[type eq "nothing"]',
    'addresses[type eq "work" and locality eq "Berlin"]',
  ]
  console.log(`\nSearches among ${users} users, in process, ${what}\n`)
  console.log(`| filter | users found | fastest and slowest of ${RUNS} |\n| --- | --- | --- |`)
  for (const filter of filters) {
    const times: number[] = []
    let total = 0
    for (let run = 0; run < RUNS; run += 1) {
      const started = performance.now()
      const found = await ask(
        setting,
        'GET',
        `/Users?count=100&filter=${encodeURIComponent(filter)}`,
      )
      times.push(performance.now() - started)
      total = Number(found.totalResults)
    }
    const [least, most] = [Math.min(...times), Math.max(...times)].map((time) =>
      time.toLocaleString('en', { maximumSignificantDigits: 3 }),
    )
    console.log(`| \`${filter}\` | ${total} | ${least} to ${most} ms |`)
  }
}
