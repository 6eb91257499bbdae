import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

interface Use {
  readonly requests: number
  readonly at: number
  readonly from: string
}
const WRITE_EVERY_MS = 60_000

/**
 * Counts the uses of keys. The first request of a key is written at once, later ones together about once a minute. A
 * process that dies loses at most a minute.
 * Tested by `features/api-keys/server/api-key-reading.test.ts`.
 */
export class KeyUses {
  readonly #database: Database
  readonly #clock: Clock
  readonly #onFault: (error: unknown) => void
  readonly #unwritten = new Map<bigint, Use>()
  readonly #writtenAt = new Map<bigint, number>()
  readonly #refusedAt = new Map<bigint, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(database: Database, clock: Clock, onFault: (error: unknown) => void) {
    this.#database = database
    this.#clock = clock
    this.#onFault = onFault
  }

  async note(id: bigint, from: string): Promise<void> {
    const at = this.#clock.now()
    this.#unwritten.set(id, { requests: (this.#unwritten.get(id)?.requests ?? 0) + 1, at, from })
    if (Math.abs(at - (this.#writtenAt.get(id) ?? Number.NEGATIVE_INFINITY)) >= WRITE_EVERY_MS) await this.#write(id)
    else this.#timer ??= setTimeout(() => void this.flush(), WRITE_EVERY_MS).unref()
  }

  /**
   * Records a request from an address that is not allowed, at most once a minute, so that the organisation sees it.
   */
  async noteRefused(id: bigint, from: string): Promise<void> {
    const at = this.#clock.now()
    if (Math.abs(at - (this.#refusedAt.get(id) ?? Number.NEGATIVE_INFINITY)) < WRITE_EVERY_MS) return
    this.#refusedAt.set(id, at)
    try {
      await this.#database.inScope(SYSTEM, tx =>
        sql`update publisher_api_keys set refused_at = ${new Date(at)}, refused_from = ${from} where id = ${id}`.execute(
          tx,
        ),
      )
    } catch (error) {
      this.#onFault(error)
    }
  }

  /** Writes what is not stored yet. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const id of [...this.#unwritten.keys()]) await this.#write(id)
  }

  /** A failed write is retried with the next one; no request fails because of it. */
  async #write(id: bigint): Promise<void> {
    const use = this.#unwritten.get(id)
    if (!use) return
    this.#unwritten.delete(id)
    this.#writtenAt.set(id, use.at)
    const at = new Date(use.at)
    try {
      await this.#database.inScope(SYSTEM, tx =>
        sql`update publisher_api_keys set request_count = request_count + ${use.requests},
          last_used_from = case when last_used_at > ${at} then last_used_from else ${use.from} end,
          last_used_at = greatest(last_used_at, ${at}) where id = ${id}`.execute(tx),
      )
    } catch (error) {
      const since = this.#unwritten.get(id)
      this.#unwritten.set(id, { ...(since ?? use), requests: use.requests + (since?.requests ?? 0) })
      this.#onFault(error)
    }
  }
}
