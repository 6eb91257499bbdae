import fs from 'node:fs'
import net from 'node:net'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { insertApiKey } from '@pc/testing/system/api-key-fixture.ts'
import {
  ANSWER_MS,
  FAULT_MS,
  pause,
  RECOVERY_MS,
  recoveryMsOf,
  type Seen,
  Traffic,
} from '@pc/testing/system/fault-fixture.ts'
import { type SystemUnderTest, startSystemUnderTest } from '@pc/testing/system/system-under-test.ts'
import pg from 'pg'
import { expect, test } from 'vitest'

/**
 * Security, figure 10: what lies behind the system goes silent or fails for half a minute while people work. Every
 * request is answered within 15 s, ten seconds after the fault everything works again without a restart, and what was
 * acknowledged is there.
 */
interface Fault {
  readonly name: string
  /** Answers what ends the fault. */
  begin(system: SystemUnderTest, admin: pg.Client): Promise<() => Promise<void> | void>
}

/** Every process of the server: the postmaster, its workers, the connections. */
async function serverProcesses(admin: pg.Client): Promise<{ postmaster: number; all: number[] }> {
  const { rows } = await admin.query<{ pid: number }>('select pg_backend_pid() as pid')
  const parentOf = (pid: number) => Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  const postmaster = parentOf(rows[0]!.pid)
  const all = fs
    .readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return pid === postmaster || parentOf(pid) === postmaster
      } catch {
        return false
      }
    })
  return { postmaster, all }
}

const signal = (pids: readonly number[], name: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // ended meanwhile
    }
  }
}

const FAULTS: readonly Fault[] = [
  {
    name: 'the whole server is silent',
    async begin(_, admin) {
      const { all } = await serverProcesses(admin)
      signal(all, 'SIGSTOP')
      return () => signal(all, 'SIGCONT')
    },
  },
  {
    name: 'open connections are silent, new ones answer',
    async begin(_, admin) {
      const { rows } = await admin.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      const pids = rows.map(row => row.pid)
      signal(pids, 'SIGSTOP')
      return () => signal(pids, 'SIGCONT')
    },
  },
  {
    name: 'new connections are accepted by nobody',
    async begin(_, admin) {
      const { postmaster } = await serverProcesses(admin)
      signal([postmaster], 'SIGSTOP')
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      return () => signal([postmaster], 'SIGCONT')
    },
  },
  {
    name: 'connections end ten times a second',
    async begin(_, admin) {
      const timer = setInterval(() => {
        admin
          .query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          )
          .catch(() => {})
      }, 100)
      return () => clearInterval(timer)
    },
  },
  {
    name: 'a table that every request reads is locked',
    async begin(_, admin) {
      await admin.query('begin; lock table users in access exclusive mode')
      return async () => void (await admin.query('rollback'))
    },
  },
]

test(`${FAULTS.length} faults of PostgreSQL × ${FAULT_MS / 1_000} s`, async () => {
  const system = await startSystemUnderTest()
  const token = await system.tokenOf(system.rows.users.admin.email)
  const key = await insertApiKey(system, { name: 'program', scopes: ['reports'] })
  const works = async () => {
    const { json } = await system.ask('iam', '{ viewer { uid } }', token)
    return json.errors === undefined && (json.data as { viewer?: unknown } | undefined)?.viewer !== undefined
  }
  expect(await works()).toBe(true)
  // The same database as a superuser, over a connection that no fault touches.
  const { databaseUrl } = system.dependencies.config
  const adminUrl = (databaseUrl ?? '').replace('pc_login', 'postgres')
  const table: string[] = []
  const wrong: Seen[] = []
  let lost = 0
  let answeredPrograms = 0
  let slowestRecovery = 0
  for (const fault of FAULTS) {
    const admin = new pg.Client({ connectionString: adminUrl })
    admin.on('error', () => {})
    await admin.connect()
    const traffic = new Traffic(system, token, fault.name, key)
    traffic.start()
    await pause(1_000)
    const end = await fault.begin(system, admin)
    await pause(FAULT_MS)
    await end()
    const recoveryMs = await recoveryMsOf(works)
    await traffic.stop()
    await admin.end()
    const names = await system.dependencies.database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('organizations')
        .select('name')
        .where('name', 'in', ['', ...traffic.acknowledged])
        .execute(),
    )
    answeredPrograms += traffic.answeredPrograms
    lost += traffic.acknowledged.length - names.length
    wrong.push(...traffic.faults)
    slowestRecovery = Math.max(slowestRecovery, recoveryMs)
    table.push(
      `${fault.name}: ${traffic.summary}, recovery ${Math.round(recoveryMs)} ms, ${traffic.acknowledged.length} acknowledged, ${traffic.answeredPrograms} answers to a program`,
    )
  }
  console.warn(table.join('\n'))
  const messages = system.logged.flatMap(line =>
    /"fault in[^"]*"/.test(line) ? [/"message":"([^"]*)"/.exec(line)?.[1] ?? ''] : [],
  )
  console.warn(
    'what was logged:',
    Object.fromEntries(
      Object.entries(Object.groupBy(messages, text => text)).map(([text, all]) => [text, all?.length]),
    ),
  )
  await system.close()
  expect(wrong).toEqual([])
  expect(lost).toBe(0)
  expect(answeredPrograms).toBeGreaterThan(0)
  expect(slowestRecovery).toBeLessThan(RECOVERY_MS)
})

test('an issuer that takes connections and says nothing: requests are answered', async () => {
  const held = new Set<net.Socket>()
  const silent = net.createServer(socket => held.add(socket.on('error', () => {})))
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as net.AddressInfo
  const system = await startSystemUnderTest({ OIDC_ISSUER: `http://127.0.0.1:${port}` })
  const times: number[] = []
  const statuses = new Set<number>()
  for (let n = 0; n < 3; n += 1) {
    const started = performance.now()
    const headers = {
      'content-type': 'application/json',
      authorization: 'Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.e30.AAAA',
    }
    const body = JSON.stringify({ query: '{ viewer { uid } }' })
    const answer = await fetch(`${system.origins.iam}/query`, { method: 'POST', headers, body })
    statuses.add(answer.status)
    times.push(performance.now() - started)
  }
  console.warn(`silent issuer: ${[...statuses]} within ${Math.round(Math.max(...times))} ms`)
  for (const socket of held) socket.destroy()
  silent.close()
  await system.close()
  expect(Math.max(...times)).toBeLessThan(ANSWER_MS)
  expect([...statuses]).toEqual([503])
})
