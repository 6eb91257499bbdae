import { createHash, randomBytes } from 'node:crypto'
import type { GranularAction } from '@pc/domain/access/action.ts'
import { readAddressRange } from '@pc/domain/api-key/address-range.ts'
import { API_KEY_BOUNDS, type ApiKeyWish, apiKeyProblems, apiKeySecret } from '@pc/domain/api-key/api-key.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import { MAIL_JOB } from '@pc/platform/mail/mail-job.ts'
import { sql } from 'kysely'
import { creationEmail, revocationEmail } from './api-key-emails.ts'
import { type ApiKeyRow, keepersOf, lockApiKey } from './api-key-store.ts'

export interface ApiKeyDependencies {
  readonly clock: Clock
  readonly jobs: Jobs
  /** Origin of the console, for links in emails. */
  readonly webOrigin: string
}
/** The secret is returned only when the key is made and stored nowhere; the answer to a repeated request has none. */
export interface CreatedApiKey {
  readonly apiKey: ApiKeyRow
  readonly secret: string | null
}

type ApiKeyWrite = Write<GranularAction, 'insight:api_key.'>
type Refused = Refusal<RefusalCode>
const RESOURCE = 'insight:api_key.'
const DAY_MS = 86_400_000

/** The stored form of a secret. Secrets are random, so a slow password hash is not needed. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/**
 * Creates a key of the person's organisation and notifies everybody who manages its keys.
 * Tested by `features/api-keys/server/api-keys.test.ts`.
 */
export async function createApiKey(
  wish: ApiKeyWish,
  { clock, jobs, webOrigin }: ApiKeyDependencies,
  { tx, permit, record }: ApiKeyWrite,
): Promise<Result<CreatedApiKey, Refused>> {
  const { scope, viewer } = permit
  if (scope.kind !== 'organization') return refused(refusal('api-key/only-own-organization', ['input']))
  const name = wish.name.replaceAll(/\p{C}+/gu, ' ').trim()
  const scopes = [...new Set(wish.scopes)]
  const addresses = wish.addresses.map(text => text.trim()).filter(text => text !== '')
  const problems = apiKeyProblems({ name, scopes, days: wish.days, addresses })
  if (problems.length > 0) return refused(...problems)
  const { organizationId } = scope
  const createdAt = new Date(clock.now())
  if (await hasEnough(tx, organizationId, createdAt))
    return refused(refusal('api-key/too-many', ['input'], { max: API_KEY_BOUNDS.keysOfOne }))
  const secret = apiKeySecret(randomBytes(32))
  const { id } = await tx
    .insertInto('publisherApiKeys')
    .values({
      organizationId,
      name,
      scopes,
      createdByUid: viewer.uid,
      createdAt,
      secretSha256: hashOfSecret(secret),
      secretEnd: secret.slice(-4),
      allowedAddresses: canonicalRanges(addresses),
      expiresAt: new Date(createdAt.getTime() + wish.days * DAY_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const apiKey = (await lockApiKey(tx, permit, id, clock.now()))!
  for (const to of await keepersOf(tx, organizationId, viewer.uid))
    await jobs.enqueue(tx, MAIL_JOB, creationEmail(to, apiKey, webOrigin))
  record({ action: 'create', resource: RESOURCE, rowId: id, before: null, after: auditedKey(apiKey) })
  return ok({ apiKey, secret })
}

/** The ranges in their canonical spelling, each once. */
function canonicalRanges(addresses: readonly string[]): string[] {
  const ranges = addresses.map(readAddressRange).flatMap(read => ('range' in read ? [read.range] : []))
  return [...new Set(ranges)]
}

/** Takes a lock, so that two keys created at once are counted one after the other. */
async function hasEnough(tx: ApiKeyWrite['tx'], organizationId: bigint, now: Date): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended('publisher_api_keys', ${organizationId}))`.execute(tx)
  const { count } = await tx
    .selectFrom('publisherApiKeys')
    .select(eb => eb.fn.countAll<bigint>().as('count'))
    .where('organizationId', '=', organizationId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count) >= API_KEY_BOUNDS.keysOfOne
}

/** Revokes a key for good: its next request is refused. Notifies its maker and everybody who manages the keys. */
export async function revokeApiKey(
  id: bigint,
  { clock, jobs, webOrigin }: ApiKeyDependencies,
  { tx, permit, record, recordNothing }: ApiKeyWrite,
): Promise<Result<ApiKeyRow, Refused>> {
  const before = await lockApiKey(tx, permit, id, clock.now())
  if (!before) return refused(refusal('record/not-found', ['id']))
  if (before.revokedAt !== null) {
    recordNothing()
    return ok(before)
  }
  const { organizationId, createdByUid } = await tx
    .updateTable('publisherApiKeys')
    .set({ revokedAt: new Date(clock.now()) })
    .where('id', '=', id)
    .returning(['organizationId', 'createdByUid'])
    .executeTakeFirstOrThrow()
  const after = (await lockApiKey(tx, permit, id, clock.now()))!
  // Staff and the audit log know who revoked it; the organisation is only told whether it was the platform.
  const isByStaff = permit.scope.kind === 'all'
  for (const to of await keepersOf(tx, organizationId, createdByUid))
    await jobs.enqueue(tx, MAIL_JOB, revocationEmail(to, { ...after, isByStaff }, webOrigin))
  record({ action: 'revoke-key', resource: RESOURCE, rowId: id, before: auditedKey(before), after: auditedKey(after) })
  return ok(after)
}

/** What the audit log stores of a key. Counters of its use are left out, because they change by themselves. */
function auditedKey({
  name,
  secretEnd,
  scopes,
  allowedAddresses,
  expiresAt,
  revokedAt,
  organizationName,
}: ApiKeyRow): object {
  return { name, keyEnd: secretEnd, scopes, allowedAddresses, expiresAt, revokedAt, organizationName }
}
