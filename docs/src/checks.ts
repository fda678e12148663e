import { CHECKS, type Check } from '@plumbline/doctor'

/** Groups the checks by topic, the first part of their ids. */
export function checkTopics(): Map<string, Check[]> {
  const topics = new Map<string, Check[]>()
  for (const check of CHECKS) {
    const [topic = check.id] = check.id.split('.')
    topics.set(topic, [...(topics.get(topic) ?? []), check])
  }
  return topics
}

/** Returns a topic's address, without an extension. */
export function pageOfTopic(topic: string): string {
  return `troubleshooting/checks/${topic}`
}

/** Creates a page per topic, where each check's section is addressed by its id, and a page listing the topics. */
export function checkPages(): Map<string, string> {
  const topics = checkTopics()
  return new Map([
    ['troubleshooting/checks/index.md', indexText(topics)],
    ...[...topics].map(
      ([topic, checks]) => [`${pageOfTopic(topic)}.md`, topicText(topic, checks)] as const,
    ),
  ])
}

function indexText(topics: ReadonlyMap<string, readonly Check[]>): string {
  const rows = [...topics].map(
    ([topic, checks]) => `| [${topic}](./${topic}.md) | ${checks.length} | ${sectionsOf(checks)} |`,
  )
  return [
    '# Checks of the doctor',
    `[The doctor](../../doctor/index.md) has ${CHECKS.length} checks. Each has a section with its rule, its consequence and its fix.`,
    ['| topic | checks | sections |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

function sectionsOf(checks: readonly Check[]): string {
  return [...new Set(checks.map(({ section }) => section))].slice(0, 4).join(', ')
}

function topicText(topic: string, checks: readonly Check[]): string {
  return [
    `# Checks: ${topic}`,
    `These ${checks.length} checks run with \`--only ${topic}\`. [All topics](./index.md).`,
    ...checks.flatMap(sectionOf),
  ].join('\n\n')
}

function sectionOf(check: Check): string[] {
  const { id, level, section, title, quote, advice, affects = {}, profiles = [] } = check
  return [
    `## ${id}`,
    `${plain(title)}.`,
    `**Rule**: ${LEVELS[level]}, ${section}${quote === undefined ? '' : `: “${plain(quote)}”`}.`,
    ...(profiles.length === 0 ? [] : [`**Only with**: ${profiles.map(option).join(', ')}.`]),
    ...(affects.entra === undefined ? [] : [`**Entra ID**: ${plain(affects.entra)}`]),
    ...(affects.okta === undefined ? [] : [`**Okta**: ${plain(affects.okta)}`]),
    `**Fix**: ${plain(advice)}`,
    `**Try it**: \`npx @plumbline/doctor <url> --token … --only ${id}\`${profiles[0] === undefined ? '' : ` ${option(profiles[0])}`}`,
  ]
}

function option(profile: string): string {
  return `\`--profile ${profile}\``
}

/** Plain text as Markdown. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>{}|]/g, '\\$&')
}

const LEVELS: Readonly<Record<Check['level'], string>> = {
  MUST: 'MUST',
  defined: 'defined behavior',
  SHOULD: 'SHOULD',
  MAY: 'MAY',
  practice: 'what identity providers need',
}
