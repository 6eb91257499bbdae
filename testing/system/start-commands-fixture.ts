import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { withClient } from '@pc/platform/postgres/roles.ts'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { sharedTestCluster } from '../postgres-cluster.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const compose = parse(fs.readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<
    string,
    { command: string[]; entrypoint?: string[]; environment: Record<string, string>; volumes?: string[] }
  >
}
const DOCKERFILE = fs.readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
const ENTRYPOINT = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(DOCKERFILE)?.[1] ?? '[]') as string[]
/** The image's own command: all services in one process. */
const CMD = JSON.parse(/^CMD (.+)$/m.exec(DOCKERFILE)?.[1] ?? '[]') as string[]

/** Many processes start here: half a minute on an idle machine, minutes on a busy one. */
export const MAX_START_MS = 600_000

export interface Ports {
  readonly web: string
  readonly insight: string
  readonly iam: string
  readonly operator: string
}

/** The start commands of compose.yaml and the Dockerfile, each as a process with a folder of its own. */
export function startCommandsFixture() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-separate-'))
  const running: { readonly child: ChildProcess; readonly ended: Promise<number | null> }[] = []
  const closing: (() => Promise<unknown>)[] = []

  const secretFile = (name: string, value: string) => {
    const file = path.join(folder, name)
    fs.writeFileSync(file, `${value}\n`, { mode: 0o600 })
    return file
  }

  /** Runs a command of the image with only the settings that its service has in compose.yaml. */
  function run(
    name: string,
    command: readonly string[],
    env: Readonly<Record<string, string | undefined>>,
    dataDir = name,
  ) {
    const [node, ...rest] = command
    expect(node).toBe('node')
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...rest], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        // Many processes run the same code, so it is compiled once.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(folder, 'compiled'),
        DATA_DIR: path.join(folder, dataDir),
        PUBLISHER_CENTER_DEMO: 'off',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    const ended = new Promise<number | null>(resolve => child.on('close', resolve))
    const ready = new Promise<void>((resolve, reject) => {
      child.on('message', message => message === 'ready' && resolve())
      void ended.then(code => reject(new Error(`${name} ended with ${code}: ${output}`)))
    })
    ready.catch(() => {})
    running.push({ child, ended })
    return { child, ended, ready, output: () => output }
  }

  /**
   * Shares the folders that compose.yaml mounts into several services; everything else of /data is the service's own.
   */
  function mountVolumes(service: string): void {
    const dataDir = path.join(folder, service)
    fs.mkdirSync(dataDir, { recursive: true })
    for (const volume of compose.services[service]?.volumes ?? []) {
      const [source = '', target = ''] = volume.split(':')
      const shared = path.join(folder, 'volumes', source)
      fs.mkdirSync(shared, { recursive: true })
      const link = path.join(dataDir, path.relative('/data', target))
      if (!fs.existsSync(link)) fs.symlinkSync(shared, link)
    }
  }

  /** The settings that compose.yaml gives to a service, with values of this machine. OIDC_ISSUER only if given. */
  function settingsOf(service: string, ports: Ports, given: Readonly<Record<string, string>>): Record<string, string> {
    const known = Object.keys(compose.services[service]!.environment).filter(name => name !== 'HEALTH_PORT')
    const ours: Record<string, string> = {
      WEB_ORIGIN: `http://127.0.0.1:${ports.web}`,
      INSIGHT_API_ORIGIN: `http://127.0.0.1:${ports.insight}`,
      IAM_API_ORIGIN: `http://127.0.0.1:${ports.iam}`,
      OIDC_CLIENT_ID: 'console',
      OPERATOR_PORT: service === 'worker' ? ports.operator : '0',
      OPERATOR_HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
      ...given,
    }
    const taken = Object.fromEntries(known.map(name => [name, ours[name] ?? '']))
    // Ports inside containers may be equal; on one machine they must differ.
    return { ...taken, PORT: ports.web, INSIGHT_API_PORT: ports.insight, IAM_API_PORT: ports.iam }
  }

  /**
   * A database as deploy/compose/roles.sh leaves it, except that its roles are those of the test cluster; migrated as
   * its owner.
   */
  async function migratedDatabase(name: string): Promise<{ readonly url: string }> {
    const cluster = await sharedTestCluster()
    const adminUrl = cluster.url('postgres', 'postgres')
    await withClient(adminUrl, client => client.query(`create database ${name} owner pc_owner`))
    closing.push(() => withClient(adminUrl, client => client.query(`drop database ${name} with (force)`)))
    const migrate = compose.services.migrate!
    const owner = { DATABASE_URL_FILE: secretFile(`${name}_owner_url`, cluster.url(name, 'pc_owner')) }
    const migration = run('migrate', [...(migrate.entrypoint ?? []), ...migrate.command], owner)
    expect(await migration.ended, migration.output()).toBe(0)
    return { url: cluster.url(name, 'pc_login') }
  }

  return {
    ...{ folder, closing, secretFile, run, mountVolumes, settingsOf, migratedDatabase },
    start: (service: string, env: Readonly<Record<string, string>>, dataDir = service) =>
      run(service, [...ENTRYPOINT, ...(compose.services[service]?.command ?? [])], env, dataDir),
    /** All services in one process, as the image starts without a command. */
    startWhole: (env: Readonly<Record<string, string>>, dataDir: string) =>
      run('whole', [...ENTRYPOINT, ...CMD], env, dataDir),
    async close() {
      for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
      for (const close of closing) await close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Ports that nobody listens on at this moment. */
export async function freePorts(count: number): Promise<string[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = net.createServer()
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const found = servers.map(server => String((server.address() as net.AddressInfo).port))
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return found
}

export async function ask(port: string, token: string, query: string, variables: object) {
  const response = await fetch(`http://127.0.0.1:${port}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.json()) as { data?: Record<string, unknown>; errors?: { extensions: { code: string } }[] }
}
