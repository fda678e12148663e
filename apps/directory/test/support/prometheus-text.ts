/** A sample of the text format 0.0.4 of Prometheus. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * Reads a strict form of the text format 0.0.4 of Prometheus: each family has one HELP and one TYPE before its samples,
 * no series is duplicated, and histograms are complete.
 *
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function parsePrometheusText(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line must end with a line feed')
  const types = new Map<string, string>()
  const samples: Sample[] = []
  const seen = new Set<string>()
  let [family, helped] = ['', '']
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, help] = HELP.exec(line) ?? []
    const [, typed, type] = TYPE.exec(line) ?? []
    if (help !== undefined) helped = help
    else if (typed !== undefined && type !== undefined) {
      if (typed !== helped || types.has(typed)) throw new Error(`one HELP before: ${line}`)
      types.set(typed, type)
      family = typed
    } else {
      const sample = parseSample(line)
      const series = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(series)) throw new Error(`duplicate: ${line}`)
      if (!namesOf(family, types.get(family)).includes(sample.name)) {
        throw new Error(`not of the family ${family}: ${line}`)
      }
      seen.add(series)
      samples.push(sample)
    }
  }
  for (const [name, type] of types) {
    if (type === 'counter' && !name.endsWith('_total')) throw new Error(`no _total: ${name}`)
    if (type === 'histogram') checkHistogram(name, samples)
  }
  return samples
}

function parseSample(line: string): Sample {
  const [, name, inside = '', value] = SAMPLE.exec(line) ?? []
  if (name === undefined || value === undefined) throw new Error(`not a sample: ${line}`)
  const labels = [...inside.matchAll(LABEL)].map(([, label = '', quoted = '']) => {
    return [label, quoted.replaceAll(/\\(.)/g, (_, one) => (one === 'n' ? '\n' : one))] as const
  })
  return { name, labels: Object.fromEntries(labels), value: numberOf(value) }
}

function numberOf(text: string): number {
  if (/inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return Number(text.toLowerCase() === 'nan' ? 'NaN' : text)
}

function namesOf(family: string, type: string | undefined): readonly string[] {
  return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => family + end) : [family]
}

/** The buckets of each series grow, and the last one has all observations. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  const keyOf = ({ le: _, ...labels }: Sample['labels']) => JSON.stringify(labels)
  const of = (end: string) => samples.filter((sample) => sample.name === `${name}${end}`)
  for (const { labels, value: count } of of('_count')) {
    const buckets = of('_bucket').filter((bucket) => keyOf(bucket.labels) === keyOf(labels))
    const limits = buckets.map((bucket) => numberOf(bucket.labels.le ?? ''))
    const values = buckets.map(({ value }) => value)
    const isSorted = (list: readonly number[]) =>
      list.every((one, at) => one >= (list[at - 1] ?? 0))
    if (limits.at(-1) !== Infinity || values.at(-1) !== count) throw new Error(`+Inf of ${name}`)
    if (!isSorted(limits) || !isSorted(values)) throw new Error(`buckets of ${name}`)
  }
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const QUOTED = '"((?:[^"\\\\\\n]|\\\\["\\\\n])*)"'
const PAIR = `[a-zA-Z_][a-zA-Z0-9_]*=${QUOTED.replace('((', '(?:(')}`
// The numbers of Go's ParseFloat, which ignores the case of NaN.
const VALUE = '[+-]?(?:\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|Inf)|[Nn]a[Nn]'
const HELP = new RegExp(`^# HELP (${NAME}) \\S.*$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`)
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${PAIR}(?:,${PAIR})*)\\})? (${VALUE})$`)
const LABEL = new RegExp(`([a-zA-Z_][a-zA-Z0-9_]*)=${QUOTED}`, 'g')
