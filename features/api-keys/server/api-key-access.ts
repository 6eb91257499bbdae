import { type Viewer, viewerScope } from '@pc/domain/access/viewer-scope.ts'
import { isAddressAllowed } from '@pc/domain/api-key/address-range.ts'
import { isApiKeyScope, isApiKeyText } from '@pc/domain/api-key/api-key.ts'
import type { Clock } from '@pc/platform/clock.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { sql } from 'kysely'
import { ApiKeyRateLimit } from './api-key-rate-limit.ts'
import { IS_MAKER_ENTITLED, KEEPER } from './api-key-store.ts'
import { hashOfSecret } from './create-api-key.ts'
import { KeyUses } from './key-uses.ts'

/** Tested by `features/api-keys/server/api-key-reading.test.ts`. */
export interface ApiKeyAccess {
  /**
   * The viewer for a program: the person who made its key, narrowed to the rights of the key. Null for a key that does
   * not work, whatever the reason. Undefined: the header has no key.
   * @throws HttpError 429 when the key exceeds its rate limit
   */
  viewerOf(authorization: string | undefined, sourceAddress: string): Promise<Viewer | null | undefined>
  /** Writes counted uses that are not stored yet. */
  flush(): Promise<void>
}

const BEARER_KEY = /^Bearer (pcr_.*)$/i

interface Row {
  readonly id: string
  readonly scopes: readonly string[]
  readonly allowedAddresses: readonly string[]
  readonly organizationId: string
  readonly uid: string
  readonly email: string
}

export function apiKeyAccess(parts: {
  readonly database: Database
  readonly clock: Clock
  readonly onFault: (error: unknown) => void
}): ApiKeyAccess {
  const { database, clock, onFault } = parts
  const rateLimit = new ApiKeyRateLimit(database, clock)
  const uses = new KeyUses(database, clock, onFault)
  return {
    async viewerOf(authorization, sourceAddress) {
      const text = BEARER_KEY.exec(authorization ?? '')?.[1]
      if (text === undefined) return undefined
      if (!isApiKeyText(text)) return null
      // Looked up by hash, so that the time of the look-up reveals nothing about a key.
      const [row] = await database.readSingleStatement(SYSTEM, keyQuery(hashOfSecret(text), clock.now()))
      if (!row) return null
      const id = BigInt(row.id)
      if (!isAddressAllowed(row.allowedAddresses, sourceAddress)) {
        await uses.noteRefused(id, sourceAddress)
        return null
      }
      await rateLimit.take(id)
      await uses.note(id, sourceAddress)
      return viewerOfKey(row)
    },
    flush: () => uses.flush(),
  }
}

/** Runs with every request, so that revoking a key or disabling its maker takes effect with the next one. */
function keyQuery(hash: Buffer, now: number) {
  return sql<Row>`select k.id::text as id, k.scopes, k.allowed_addresses, k.organization_id::text as organization_id, m.uid::text as uid, m.email
    from publisher_api_keys k join users m on m.uid = k.created_by_uid
    where k.secret_sha256 = decode(${hash.toString('hex')}, 'hex') and k.revoked_at is null
      and k.expires_at > ${new Date(now).toISOString()}::timestamptz
      and ${IS_MAKER_ENTITLED}`
}

/** Only the role of the key: further roles of its maker do not count. */
function viewerOfKey(row: Row): Viewer {
  const { uid, email } = row
  const roles = [KEEPER]
  const organizationId = BigInt(row.organizationId)
  const apiKey = { id: BigInt(row.id), scopes: row.scopes.filter(isApiKeyScope) }
  return { uid, email, roles, organizationId, scope: viewerScope(uid, roles, organizationId), apiKey }
}
