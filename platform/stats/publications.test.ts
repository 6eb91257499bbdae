import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { YearMonth } from '@pc/domain/month/year-month.ts'
import {
  type PublicationRequest,
  publicationSequence,
  readMessage,
  writeMessage,
} from '@pc/testing/statistics/publications.ts'
import { dropTestDatabase, STATS_ENGINES, startTestClickHouse } from '@pc/testing/statistics/stats-engines.ts'
import { randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { expect, test } from 'vitest'

/**
 * Whatever any process answers is exactly one published state, also while processes are killed.
 * `PUBLICATIONS=200 npm test -- platform/stats/publications.test.ts` is the long form.
 */
const LENGTH = Number(process.env.PUBLICATIONS ?? 8)
const PROCESS = path.resolve(import.meta.dirname, '../../testing/system/publication-test-process.ts')
const MAY = 202605 as YearMonth
/** Snapshots live for a minute of the long form, and old versions for three: they are removed while others are read. */
const CLOCK_SPEED = 5

class Killed extends Error {}

/** A process that is there again at the next request when it was killed. */
class StoreProcess {
  readonly #arguments: readonly string[]
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>()
  #child: Promise<ChildProcess> | undefined
  #requests = 0

  constructor(args: readonly string[]) {
    this.#arguments = args
  }

  async request(request: PublicationRequest): Promise<unknown> {
    this.#child ??= this.#start()
    const child = await this.#child
    this.#requests += 1
    const id = this.#requests
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      // A closed channel is answered for by the exit: asking again before it would keep the event from ever arriving.
      child.send(writeMessage({ id, request }), () => {})
    })
  }

  async kill(): Promise<void> {
    const child = await this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }

  #start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--no-warnings', PROCESS, ...this.#arguments], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    return new Promise((resolve, reject) => {
      child.on('message', (text: string) => {
        if (text === 'ready') return resolve(child)
        const { id, answer, error } = readMessage(text) as { id: number; answer?: unknown; error?: string }
        const waiting = this.#waiting.get(id)
        this.#waiting.delete(id)
        if (error === undefined) waiting?.resolve(answer)
        else waiting?.reject(new Error(error))
      })
      child.once('exit', () => {
        this.#child = undefined
        for (const { reject: fail } of this.#waiting.values()) fail(new Killed())
        this.#waiting.clear()
        reject(new Error('the process ended before it was ready'))
      })
    })
  }
}

test.each(STATS_ENGINES)(
  '%s: every answer of every process is one published state',
  { timeout: 3_600_000 },
  async engine => {
    const random = randomFrom(20261129)
    const { publications, states } = publicationSequence(random, LENGTH)
    const expected = states.map(state => state.join('\n'))
    expect(new Set(expected).size).toBeGreaterThan(LENGTH * 0.8)

    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'publications-'))
    const database = await testDatabase()
    const server = engine === 'clickhouse' ? await startTestClickHouse() : { url: undefined, stop: async () => {} }
    const place =
      engine === 'duckdb' ? path.join(folder, 'stats.duckdb') : new URL(`/publications_${process.pid}`, server.url).href
    const start = () => new StoreProcess([engine, place, database.url, String(CLOCK_SPEED)])
    const importer = start()
    // DuckDB's file belongs to one process, which then reads as well.
    const readers = engine === 'duckdb' ? [importer, importer] : [start(), start()]

    let published = 0
    let publishing = 0
    let seen = 0
    let isOver = false
    let compacting = Promise.resolve()
    const counts = { answers: 0, mixtures: 0, old: 0, kills: 0, conflicts: 0, compactions: 0, whilePublishing: 0 }
    const failures: string[] = []

    async function read(reader: StoreProcess): Promise<void> {
      while (!isOver) {
        const least = Math.max(published, seen)
        const wasPublishing = publishing > published
        try {
          const answer = ((await reader.request({ kind: 'answer' })) as string[]).join('\n')
          counts.answers += 1
          if (wasPublishing) counts.whilePublishing += 1
          const state = expected.indexOf(answer, least)
          if (state >= 0 && state <= publishing) seen = Math.max(seen, state)
          else if (expected.includes(answer)) counts.old += 1
          else counts.mixtures += 1
        } catch (error) {
          if (!(error instanceof Killed)) failures.push(String(error))
        }
      }
    }

    async function publishAll(): Promise<void> {
      for (const [index, publication] of publications.entries()) {
        publishing = index + 1
        for (;;) {
          const isKilled = random.chance(0.3)
          const attempt = importer.request({ kind: 'publish', publication })
          if (isKilled) setTimeout(() => void importer.kill(), random.below(engine === 'duckdb' ? 120 : 1_500))
          try {
            if ((await attempt) === 'conflict') counts.conflicts += 1
            else break
          } catch (error) {
            if (!(error instanceof Killed)) throw error
            counts.kills += 1
          }
        }
        published = index + 1
        if (engine === 'clickhouse' && random.chance(0.3)) {
          counts.kills += 1
          await random.pick(readers).kill()
        }
        // Another process compacts while the next publication is made: one of the two may have to be repeated.
        if (random.chance(0.2)) compacting = compacting.then(compact)
      }
    }
    async function compact(): Promise<void> {
      try {
        await readers[1]!.request({ kind: 'compact', before: MAY })
        counts.compactions += 1
      } catch (error) {
        if (!(error instanceof Killed)) failures.push(String(error))
      }
    }

    try {
      const reading = readers.map(read)
      try {
        await publishAll()
      } finally {
        isOver = true
        await Promise.all([...reading, compacting])
      }
      expect(((await readers[0]!.request({ kind: 'answer' })) as string[]).join('\n')).toBe(expected.at(-1))
      process.stdout.write(`${engine}: ${LENGTH} publications, ${JSON.stringify(counts)}\n`)
      expect(failures).toEqual([])
      expect(counts).toMatchObject({ mixtures: 0, old: 0 })
      expect(counts.whilePublishing).toBeGreaterThan(0)
    } finally {
      for (const each of new Set([importer, ...readers])) await each.kill()
      await database.drop()
      if (engine === 'clickhouse') await dropTestDatabase(place)
      await server.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    }
  },
)
