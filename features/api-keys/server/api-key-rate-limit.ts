import { API_KEY_BOUNDS } from '@pc/domain/api-key/api-key.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { HttpError } from '@pc/platform/http/http-error.ts'
import { type Database, SYSTEM, type Transaction } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'

const MS_PER_REQUEST = 60_000 / API_KEY_BOUNDS.perMinute
/** Keys remembered as waiting; the oldest are forgotten first, and then only cost a query. */
const MAX_WAITING = 10_000

/**
 * The rate limit of a key over all processes: a burst, and then a number of requests per minute ({@link
 * API_KEY_BOUNDS}). One row per key stores when its bucket is full again (GCRA), so single requests are not stored.
 * While a key has to wait, further requests are refused from memory, so that it causes no more writes than allowed
 * requests.
 */
export class ApiKeyRateLimit {
  readonly #database: Database
  readonly #clock: Clock
  /** Until when requests of a key are refused from memory, in milliseconds since 1970. */
  readonly #waiting = new Map<bigint, number>()

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** @throws HttpError 429 with Retry-After when the key has to wait */
  async take(id: bigint): Promise<void> {
    const now = this.#clock.now()
    const known = (this.#waiting.get(id) ?? now) - now
    // A longer wait means that the clock was set back, so the database decides.
    if (known > 0 && known <= MS_PER_REQUEST) throw tooMany(known)
    const waitMs = await this.#database.inScope(SYSTEM, tx => takeOne(tx, id, now))
    this.#waiting.delete(id)
    if (waitMs <= 0) return
    this.#waiting.set(id, now + waitMs)
    if (this.#waiting.size > MAX_WAITING) this.#waiting.delete(this.#waiting.keys().next().value!)
    throw tooMany(waitMs)
  }
}

function tooMany(waitMs: number): HttpError {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)))
  const { burst, perMinute } = API_KEY_BOUNDS
  return new HttpError(429, 'too-many-of-key', { data: { burst, perMinute }, headers: { 'retry-after': seconds } })
}

/** @returns milliseconds that the key has to wait; 0 when the request is allowed */
async function takeOne(tx: Transaction, id: bigint, now: number): Promise<number> {
  const at = (requests: number) => new Date(now + requests * MS_PER_REQUEST)
  const last = at(API_KEY_BOUNDS.burst - 1)
  const taken = await sql`insert into publisher_api_key_paces as p (key_id, full_at) values (${id}, ${at(1)})
    on conflict (key_id) do update
      set full_at = greatest(p.full_at, ${at(0)}) + ${MS_PER_REQUEST} * interval '1 millisecond'
      where p.full_at <= ${last} returning 1`.execute(tx)
  if (taken.rows.length > 0) return 0
  // Corrects a time that a process with a wrong clock wrote: the worst state is an empty bucket.
  const full = await sql<{
    fullAt: Date
  }>`update publisher_api_key_paces set full_at = least(full_at, ${at(API_KEY_BOUNDS.burst)})
    where key_id = ${id} returning full_at`.execute(tx)
  return Math.max(1, (full.rows[0]?.fullAt.getTime() ?? 0) - last.getTime())
}
