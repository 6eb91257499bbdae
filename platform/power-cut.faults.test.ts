import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { mayMountUnsyncedDisk, type UnsyncedDisk, unsyncedDisk } from '@pc/testing/faults/unsynced-disk.ts'
import { type Random, randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { launchPostgres } from './postgres/launch-postgres.ts'
import { withClient } from './postgres/roles.ts'
import { openDuckDb } from './stats/duckdb-store.ts'

/**
 * Security, figure 7: the power goes while PostgreSQL and the statistics store write, on a file system that forgets what
 * was not synced. Every second cut leaves a random part of the unsynced pages behind, as disks do that write on their
 * own. Every fifth cut comes while the program still starts after the one before. Recorded seeds; POWER_CUTS is how many.
 */
const CUTS = Number(process.env.POWER_CUTS ?? 10)
const SEED = Number(process.env.FAULT_SEED ?? 20_261_120)
const START_LIMIT_MS = 30_000

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-power-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
const testing = path.resolve(import.meta.dirname, '../testing/faults')

interface Program<Line> {
  readonly process: ChildProcess
  readonly lines: AsyncIterable<Line>
  readonly errors: () => string
}

function run<Line>(script: string, ...args: string[]): Program<Line> {
  const child = spawn(process.execPath, [path.join(testing, script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk))
  return {
    process: child,
    errors: () => errors,
    lines: (async function* () {
      for await (const line of readline.createInterface({ input: child.stdout! })) yield JSON.parse(line) as Line
    })(),
  }
}

/** Cuts the power, then ends the program, which may hold the disk no longer. */
async function cutAndEnd(disk: UnsyncedDisk, child: ChildProcess): Promise<void> {
  await disk.cut()
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
  child.kill('SIGKILL')
  await ended
}

async function untilGone(pid: number): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (fs.existsSync(`/proc/${pid}`)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} does not end`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

interface Plan {
  /** While it starts, after this part of the time that the last start took; otherwise after so many acknowledged writes. */
  readonly startingPart?: number
  readonly acks: number
  /** Between the last of these and the cut. */
  readonly extraMs: number
  readonly keepSome?: number
}

function planOf(random: Random, cut: number, acks: number): Plan {
  return {
    ...(cut % 5 === 4 ? { startingPart: random.below(1_000) / 1_000 } : {}),
    acks: 1 + random.below(acks),
    extraMs: random.below(30),
    ...(cut % 2 === 1 ? { keepSome: random.below(2 ** 31) } : {}),
  }
}

describe.skipIf(!mayMountUnsyncedDisk())('a power cut', () => {
  test(`of PostgreSQL, ${CUTS} times`, { timeout: 120_000 + CUTS * 60_000 }, async () => {
    const content = path.join(root, 'postgres')
    const made = await launchPostgres({ folder: path.join(content, 'postgres') })
    await withClient(made.url('postgres', 'postgres'), client =>
      client.query(`create role pc_app;
        create table entries (id bigint primary key, filling text not null);
        create table halves (entry_id bigint not null, half int not null, primary key (entry_id, half));
        grant select, insert on entries, halves to pc_app`),
    )
    await made.stop()
    const disk = await unsyncedDisk(content)
    const random = randomFrom(SEED)
    const acknowledged = new Set<number>()
    let [next, duringStart, forgotten, startMs, slowestMs] = [1, 0, 0, 0, 0]
    try {
      for (let cut = 0; cut <= CUTS; cut += 1) {
        const plan = planOf(random, cut, 120)
        const startedAt = performance.now()
        const program = run<{ pid?: number; found?: { ids: number[]; torn: number }; ack?: number; failed?: true }>(
          'write-until-power-cut.ts',
          path.join(disk.folder, 'postgres'),
          String(next),
        )
        let [acks, hasStarted, pid] = [0, false, 0]
        const cutNow = () => cutAndEnd(disk, program.process)
        let cutting: Promise<void> | undefined
        if (plan.startingPart !== undefined && cut < CUTS)
          setTimeout(() => (cutting ??= cutNow()), plan.startingPart * startMs)
        for await (const line of program.lines) {
          if (line.pid) pid = line.pid
          if (line.found) {
            hasStarted = true
            startMs = performance.now() - startedAt
            slowestMs = Math.max(slowestMs, startMs)
            const ids = new Set(line.found.ids)
            expect(
              [...acknowledged].filter(id => !ids.has(id)),
              `lost, seen at start ${cut}`,
            ).toEqual([])
            expect(ids.size, 'doubled').toBe(line.found.ids.length)
            expect(line.found.torn, 'half a transaction').toBe(0)
            next = Math.max(next, ...line.found.ids.slice(-20).map(id => id + 1))
            if (cut === CUTS) cutting ??= cutNow()
          }
          if (line.failed) expect(cutting !== undefined, `a write failed before cut ${cut}`).toBe(true)
          if (line.ack === undefined) continue
          acknowledged.add(line.ack)
          next = Math.max(next, line.ack + 1)
          acks += 1
          if (acks === plan.acks) setTimeout(() => (cutting ??= cutNow()), plan.extraMs)
        }
        await cutting
        expect(cutting !== undefined, `ended by itself at start ${cut}: ${program.errors()}`).toBe(true)
        if (!hasStarted) duringStart += 1
        if (pid > 0) await untilGone(pid)
        next += 10 // ids that were on their way
        forgotten += await disk.restore(plan.keepSome)
      }
    } finally {
      console.warn(
        `PostgreSQL: ${CUTS} power cuts (seed ${SEED}), ${duringStart} of them while it started, ${acknowledged.size} acknowledged, ` +
          `${forgotten} unsynced pages forgotten, slowest start ${Math.round(slowestMs)} ms`,
      )
      await disk.close()
    }
    expect(acknowledged.size).toBeGreaterThan(CUTS)
    expect(forgotten).toBeGreaterThan(0)
    expect(slowestMs).toBeLessThan(START_LIMIT_MS)
  })

  test(`of the statistics store, ${CUTS} times`, { timeout: 120_000 + CUTS * 60_000 }, async () => {
    const content = path.join(root, 'stats')
    fs.mkdirSync(content)
    await (await openDuckDb({ file: path.join(content, 'stats.duckdb'), memoryLimit: '128MB', threads: 1 })).close()
    const disk = await unsyncedDisk(content)
    const random = randomFrom(SEED + 1)
    /** What each batch may show: its sum when acknowledged or when it was there at a start, both while under way. */
    const allowed = new Map<string, Set<string>>()
    let underWay: { batch: string; replaces: string | undefined } | undefined
    let [next, acknowledged, duringStart, forgotten, startMs, slowestMs] = [1, 0, 0, 0, 0, 0]
    try {
      for (let cut = 0; cut <= CUTS; cut += 1) {
        const plan = planOf(random, cut, 12)
        const startedAt = performance.now()
        const program = run<{
          found?: { batches: Record<string, string>; ofMonths: string; damaged: string[] }
          start?: number
          total?: string
          replaces?: number
          ack?: number
        }>('import-until-power-cut.ts', path.join(disk.folder, 'stats.duckdb'), String(next))
        let [acks, hasStarted] = [0, false]
        let started: { batch: string; total: string; replaces: string | undefined } | undefined
        let cutting: Promise<void> | undefined
        const cutNow = () => cutAndEnd(disk, program.process)
        if (plan.startingPart !== undefined && cut < CUTS)
          setTimeout(() => (cutting ??= cutNow()), plan.startingPart * startMs)
        for await (const line of program.lines) {
          if (line.found) {
            hasStarted = true
            startMs = performance.now() - startedAt
            slowestMs = Math.max(slowestMs, startMs)
            const { batches, ofMonths, damaged } = line.found
            expect(damaged).toEqual([])
            for (const [batch, sums] of allowed)
              expect([...sums], `batch ${batch} at start ${cut}`).toContain(batches[batch] ?? 'none')
            expect(Object.keys(batches).filter(batch => !allowed.has(batch))).toEqual([])
            expect(ofMonths).toBe(String(Object.values(batches).reduce((sum, shown) => sum + BigInt(shown), 0n)))
            // A batch and what it replaces change places at once.
            if (underWay?.replaces !== undefined)
              expect(batches[underWay.batch] === undefined, `half replaced at start ${cut}`).toBe(
                batches[underWay.replaces] !== undefined,
              )
            underWay = undefined
            for (const batch of allowed.keys()) allowed.set(batch, new Set([batches[batch] ?? 'none']))
            if (cut === CUTS) cutting ??= cutNow()
          }
          if (line.start !== undefined) {
            started = { batch: String(line.start), total: line.total!, replaces: line.replaces?.toString() }
            next = line.start + 1
            allowed.set(started.batch, new Set(['none', started.total]))
            if (started.replaces !== undefined) {
              const isThere = [...(allowed.get(started.replaces) ?? [])].some(sum => sum !== 'none')
              underWay = { batch: started.batch, replaces: isThere ? started.replaces : undefined }
              allowed.get(started.replaces)?.add('none')
            }
          }
          if (line.ack === undefined || !started) continue
          acknowledged += 1
          underWay = undefined
          allowed.set(started.batch, new Set([started.total]))
          if (started.replaces !== undefined) allowed.set(started.replaces, new Set(['none']))
          acks += 1
          if (acks === plan.acks) setTimeout(() => (cutting ??= cutNow()), plan.extraMs)
        }
        await cutting
        expect(cutting !== undefined, `ended by itself at start ${cut}: ${program.errors()}`).toBe(true)
        if (!hasStarted) duringStart += 1
        forgotten += await disk.restore(plan.keepSome)
      }
    } finally {
      console.warn(
        `statistics: ${CUTS} power cuts (seed ${SEED + 1}), ${duringStart} of them while it started, ${acknowledged} batches acknowledged, ` +
          `${forgotten} unsynced pages forgotten, slowest start ${Math.round(slowestMs)} ms`,
      )
      await disk.close()
    }
    expect(acknowledged).toBeGreaterThan(CUTS)
    expect(forgotten).toBeGreaterThan(0)
    expect(slowestMs).toBeLessThan(START_LIMIT_MS)
  })
})
