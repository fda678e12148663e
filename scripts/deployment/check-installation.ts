import { isDeepStrictEqual } from 'node:util'

/** A manifest, typed as deeply as the rules read it. */
export type Tree = { readonly [name: string]: Tree } & readonly Tree[]

/** The facts in the documentation of the manifests. */
export interface Documented {
  /** The memory of a process in MB. */
  readonly memory: number
  /** The commands for a cluster. */
  readonly commands: readonly string[]
}

/**
 * Finds what is wrong with manifests that the schemas of the API accept: with the selectors, an upgrade, and the resources.
 * `manifests` belong to one installation.
 */
export function findFaults(manifests: readonly Tree[], documented: Documented): readonly string[] {
  const find = (kind: string): Tree => manifests.find((one) => String(one.kind) === kind) ?? EMPTY
  const deployment = find('Deployment')
  return [
    ...selectorFaults(deployment, manifests),
    ...upgradeFaults(deployment, find('PodDisruptionBudget'), documented),
    ...resourceFaults(deployment, find('HorizontalPodAutoscaler'), documented),
  ]
}

/** Each selector has all labels of the pods, and the pods have a name: a component alone is not unique in a namespace. */
function selectorFaults(deployment: Tree, manifests: readonly Tree[]): readonly string[] {
  const { labels = EMPTY } = deployment.spec?.template?.metadata ?? EMPTY
  const spread = deployment.spec?.template?.spec?.topologySpreadConstraints?.[0]?.labelSelector
  const selectors = manifests.flatMap(({ kind, spec = EMPTY }) =>
    [spec.selector?.matchLabels ?? spec.selector, spec.podSelector?.matchLabels]
      .filter((selector) => selector !== undefined)
      .map((selector) => [String(kind), selector] as const),
  )
  const wrong = [...selectors, ['topologySpreadConstraints', spread?.matchLabels] as const].filter(
    ([, selector]) => !isDeepStrictEqual(selector, labels),
  )
  return [
    ...(labels['app.kubernetes.io/name'] === undefined ? ['the pods do not have a name'] : []),
    ...wrong.map(([of]) => `the selector of ${of} is not that of the pods`),
  ]
}

/** An upgrade is a new image: it migrates where no probe ends it, and does not change the number of replicas. */
function upgradeFaults(
  { spec = EMPTY }: Tree,
  budget: Tree,
  { commands }: Documented,
): readonly string[] {
  const { initContainers = [], containers = [] } = Object(spec.template?.spec)
  const [migration] = initContainers
  const [server] = containers
  const last = commands.flatMap((line) => /--replicas=(\d+)/.exec(line)?.[1] ?? []).at(-1)
  const stop = Number(server?.lifecycle?.preStop?.sleep?.seconds)
  const rules: readonly (readonly [isMet: boolean, fault: string])[] = [
    [spec.replicas === undefined, 'the deployment sets the replicas of the autoscaler'],
    [isDeepStrictEqual(migration?.args, ['--migrate']), 'the server migrates under its probes'],
    [migration?.image === server?.image, 'the migration has another image than the server'],
    [Number(spec.strategy?.rollingUpdate?.maxUnavailable) === 0, 'an upgrade removes ready pods'],
    [
      Number(spec.template?.spec?.terminationGracePeriodSeconds) >= stop + SHUTDOWN_SECONDS,
      'a pod is killed while it answers its last requests',
    ],
    [
      String(budget.spec?.unhealthyPodEvictionPolicy) === 'AlwaysAllow',
      'a pod of an old version keeps its node from being drained',
    ],
    [last === undefined || Number(last) >= 2, `the documented commands end with ${last} replicas`],
    [commands.some((line) => line.includes('rollout status')), 'no command waits for a rollout'],
  ]
  return rules.flatMap(([isMet, fault]) => (isMet ? [] : [fault]))
}

/** The requests are what a process needs, and the autoscaler does not depend on them. */
function resourceFaults(
  { spec }: Tree,
  autoscaler: Tree,
  { memory }: Documented,
): readonly string[] {
  const { initContainers = [], containers = [] } = Object(spec?.template?.spec)
  const small = [...initContainers, ...containers].filter(
    ({ resources }) => Number.parseInt(resources?.requests?.memory ?? '0', 10) < memory,
  )
  const target = autoscaler.spec?.metrics?.[0]?.resource?.target
  return [
    ...small.map(({ name }) => `${name} requests less than ${memory} MB`),
    ...(String(target?.type) === 'AverageValue' ? [] : ['the autoscaler depends on the request']),
  ]
}

/** Changes of the manifests, each of which a rule must find. */
export const MISTAKES = [
  ['  selector:\n    app.kubernetes.io/name: plumbline-directory\n', '  selector:\n'],
  ['    app.kubernetes.io/name: plumbline-directory\n    app', '    app'],
  ['progressDeadlineSeconds: 3600', 'replicas: 2'],
  ['args: [--migrate]', 'args: [--pending]'],
  ['maxUnavailable: 0', 'maxUnavailable: 1'],
  ['sleep: { seconds: 5 }', 'sleep: { seconds: 25 }'],
  ['unhealthyPodEvictionPolicy: AlwaysAllow', 'unhealthyPodEvictionPolicy: IfHealthyBudget'],
  ['memory: 512Mi', 'memory: 256Mi'],
  ['type: AverageValue', 'type: Utilization'],
] as const

const EMPTY = {} as Tree
/** The time of the server for open requests, and for its log and its database. */
const SHUTDOWN_SECONDS = 8 + 5
