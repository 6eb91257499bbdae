import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

/** The command as people run it: a process of its own, with the embedded stores in a folder of its own. */
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-start-'))
const started: ChildProcess[] = []

afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL')
  fs.rmSync(dataDir, { recursive: true, force: true })
})

function start(env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, 'start.ts'), ...args],
    {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        PUBLISHER_CENTER_DEMO: 'off',
        STATS_MEMORY_LIMIT: '128MB',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  // Not `close`: it does not come after disconnect().
  const exited = new Promise<number | null>(resolve => child.on('exit', code => resolve(code)))
  const drained = [child.stdout, child.stderr].map(stream => new Promise(resolve => stream?.on('end', resolve)))
  const ended = Promise.all([exited, ...drained]).then(([code]) => code as number | null)
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', message => message === 'ready' && resolve())
    void ended.then(code => reject(new Error(`ended with ${code}: ${output}`)))
  })
  ready.catch(() => {})
  return { child, ended, ready, output: () => output }
}

async function freePorts(count: number): Promise<string[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<net.Server>(resolve => {
          const server = net.createServer().listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map(server => String((server.address() as net.AddressInfo).port))
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}

test('starts, says where it is, refuses a second start, stops cleanly, and starts again on the same data', async () => {
  const [insight = '', iam = ''] = await freePorts(2)
  const ports = { INSIGHT_API_PORT: insight, IAM_API_PORT: iam }
  const first = start(ports, '--services=api,worker')
  await first.ready
  expect(first.output()).toContain(`http://127.0.0.1:${insight}/query`)
  // Its screen is not served here.
  expect(first.output()).not.toContain('/sso#/first-admin/')
  for (const port of [insight, iam]) expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  const run = path.join(dataDir, 'run')
  const written = JSON.parse(fs.readFileSync(path.join(run, 'server.json'), 'utf8'))
  expect(written.pid).toBe(first.child.pid)
  expect(fs.statSync(run).mode & 0o777).toBe(0o700)
  expect(fs.statSync(written.controlSocket).isSocket()).toBe(true)

  const second = start(ports, '--services=api')
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`already running with DATA_DIR=${dataDir} (process ${first.child.pid})`)
  expect(second.output()).not.toContain('    at ') // a message for people, no stack

  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(fs.readdirSync(run)).toEqual([])

  const again = start(ports, '--services=api')
  await again.ready
  again.child.disconnect() // the process that started it is gone
  expect(await again.ended).toBe(0)
})

test('says what is wrong with ports, settings and services', async () => {
  const taken = net.createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  const port = String((taken.address() as net.AddressInfo).port)
  const blocked = start({ INSIGHT_API_PORT: port, IAM_API_PORT: '0' }, '--services=api')
  expect(await blocked.ended).toBe(1)
  expect(blocked.output()).toContain(`Port ${port} (INSIGHT_API_PORT) is in use`)
  taken.close()
  const wrong = start({ PORT: 'eighty' })
  expect(await wrong.ended).toBe(1)
  expect(wrong.output()).toContain('PORT="eighty"')
  const unknown = start({}, '--services=web,mail')
  expect(await unknown.ended).toBe(1)
  expect(unknown.output()).toContain('choose from web, api, worker')
})

test('after kill -9 the folder is free again', async () => {
  const [insight = '', iam = ''] = await freePorts(2)
  const ports = { INSIGHT_API_PORT: insight, IAM_API_PORT: iam }
  const killed = start(ports, '--services=api')
  await killed.ready
  killed.child.kill('SIGKILL')
  await killed.ended
  const again = start(ports, '--services=api')
  await again.ready
  again.child.kill('SIGINT')
  expect(await again.ended).toBe(0)
})
