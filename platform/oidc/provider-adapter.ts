import { ACCOUNT_UNDO_DAYS } from '@pc/domain/access/account-change.ts'
import { sql } from 'kysely'
import { type AdapterPayload, errors } from 'oidc-provider'
import { type Database, SYSTEM } from '../postgres/database.ts'
import { deleteGrant } from './session-rows.ts'

interface PayloadRow {
  readonly payload: string
  /** Seconds since 1970. */
  readonly consumedAt: number | null
}

/** What the provider makes ids of. Whatever else is asked for (also the name of a client that is not ours) is not here. */
const ID = /^[\w-]{1,200}$/

/** What belongs to a grant may be stored only while the grant exists: a revoked family cannot grow a new member. */
const NEEDS_GRANT = new Set(['RefreshToken', 'AccessToken', 'AuthorizationCode'])

/**
 * Storage of oidc-provider in the table `idp_payloads`, one instance per model.
 * Payloads travel as text: their keys are the protocol's and must not be respelled by the query builder.
 */
export class ProviderAdapter {
  readonly #database: Database
  readonly #model: string

  constructor(database: Database, model: string) {
    this.#database = database
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    const grantId = payload.grantId ?? null
    const needsGrant = NEEDS_GRANT.has(this.#model)
    await this.#database.inScope(SYSTEM, async tx => {
      if (needsGrant) {
        const grant =
          await sql`select 1 from idp_payloads where model = 'Grant' and id = ${grantId} for key share`.execute(tx)
        if (grant.rows.length === 0) throw new errors.InvalidGrant('grant revoked')
      }
      await sql`insert into idp_payloads (model, id, payload, grant_id, user_code, session_uid, expires_at)
        values (${this.#model}, ${id}, ${JSON.stringify(payload)}::jsonb, ${grantId}, ${payload.userCode ?? null},
          ${payload.uid ?? null}, now() + ${expiresInSeconds ?? null}::double precision * interval '1 second')
        on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
          user_code = excluded.user_code, session_uid = excluded.session_uid, expires_at = excluded.expires_at`.execute(
        tx,
      )
    })
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.#one('id', id)
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#one('session_uid', uid)
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#one('user_code', userCode)
  }

  async destroy(id: string): Promise<void> {
    await this.#database.inScope(SYSTEM, tx =>
      sql`delete from idp_payloads where model = ${this.#model} and id = ${id}`.execute(tx),
    )
  }

  /**
   * Uses up a refresh token or a code. Of any number of parallel callers exactly one succeeds; for every other one
   * this is a reuse: the family is revoked and the request refused.
   */
  async consume(id: string): Promise<void> {
    const used = await this.#database.inScope(SYSTEM, tx =>
      sql`update idp_payloads set consumed_at = now()
        where model = ${this.#model} and id = ${id} and consumed_at is null returning 1`.execute(tx),
    )
    if (used.rows.length > 0) return
    // In a transaction of its own: a lost update keeps its row locked, out of the order in which grants are deleted.
    await this.#database.inScope(SYSTEM, async tx => {
      const lost = await sql<{ grantId: string | null }>`select grant_id from idp_payloads
        where model = ${this.#model} and id = ${id}`.execute(tx)
      const grantId = lost.rows[0]?.grantId
      if (grantId) await deleteGrant(tx, grantId)
    })
    throw new errors.InvalidGrant('already used')
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#database.inScope(SYSTEM, tx => deleteGrant(tx, grantId))
  }

  async #one(column: 'id' | 'session_uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> {
    if (!ID.test(value)) return undefined
    const [row] = await this.#database.readSingleStatement(
      SYSTEM,
      sql<PayloadRow>`select payload::text as payload, floor(extract(epoch from consumed_at))::int as consumed_at from idp_payloads
        where model = ${this.#model} and ${sql.ref(column)} = ${value} and (expires_at is null or expires_at > now())`,
    )
    if (!row) return undefined
    const payload = JSON.parse(row.payload) as AdapterPayload
    return row.consumedAt === null ? payload : { ...payload, consumed: row.consumedAt }
  }
}

/** Rows that one statement removes: however many there are, each takes a fraction of the time that a statement has. */
const ROWS_AT_A_TIME = 10_000

const EXPIRED = {
  idp_payloads: sql`expires_at < now()`,
  idp_attempts: sql`attempted_at < now() - interval '1 day'`,
  account_undos: sql`kept_at < now() - ${ACCOUNT_UNDO_DAYS} * interval '1 day'`,
  sent_mails: sql`sent_at < now() - interval '1 day'`,
  idp_session_uses: sql`not exists (
    select from idp_payloads p where p.model = 'Session' and p.session_uid = idp_session_uses.session_uid)`,
}

/** Removes what expired. Run it from time to time; nothing depends on it but the size of the tables. */
export async function removeExpiredPayloads(database: Database): Promise<void> {
  for (const [name, isExpired] of Object.entries(EXPIRED)) {
    const table = sql.table(name)
    let removed = ROWS_AT_A_TIME
    while (removed === ROWS_AT_A_TIME) {
      const found = await database.inScope(SYSTEM, tx =>
        sql`delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${isExpired} limit ${ROWS_AT_A_TIME}))`.execute(tx),
      )
      removed = Number(found.numAffectedRows ?? 0)
    }
  }
}
