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

/**
 * Ids that oidc-provider generates. Anything else, such as an unknown client's name, is not in the table and is not
 * looked up.
 */
const ID = /^[\w-]{1,200}$/

/** These may be stored only while their grant exists, so that a revoked grant cannot get new tokens. */
const NEEDS_GRANT = new Set(['RefreshToken', 'AccessToken', 'AuthorizationCode'])

/**
 * Storage adapter of oidc-provider over the table `idp_payloads`, one instance per model. Payloads are passed as text,
 * because the query builder would rename their keys. All statements run in SYSTEM scope, because nobody is signed in
 * yet.
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
   * Marks a refresh token or a code as used. Exactly one of several concurrent callers succeeds; for the others it is a
   * reuse, which revokes the grant.
   */
  async consume(id: string): Promise<void> {
    const used = await this.#database.inScope(SYSTEM, tx =>
      sql`update idp_payloads set consumed_at = now()
        where model = ${this.#model} and id = ${id} and consumed_at is null returning 1`.execute(tx),
    )
    if (used.rows.length > 0) return
    // In a separate transaction: a failed update keeps its row locked, which could deadlock with deletions of the
    // grant.
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

/** Rows per delete statement, so that each stays far below the statement timeout. */
const ROWS_AT_A_TIME = 10_000

const EXPIRED = {
  idp_payloads: sql`expires_at < now()`,
  idp_attempts: sql`attempted_at < now() - interval '1 day'`,
  account_undos: sql`kept_at < now() - ${ACCOUNT_UNDO_DAYS} * interval '1 day'`,
  sent_mails: sql`sent_at < now() - interval '1 day'`,
  idp_session_uses: sql`not exists (
    select from idp_payloads p where p.model = 'Session' and p.session_uid = idp_session_uses.session_uid)`,
}

/** Deletes expired rows; run regularly. Nothing depends on it except the size of the tables. */
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
