import { createHash } from 'node:crypto'
import { refusal } from '@pc/domain/refusal.ts'
import { sql } from 'kysely'
import { compileOnce } from '../postgres/compile-once.ts'
import type { Reader, Transaction } from '../postgres/database.ts'
import { sendWithCommit } from '../postgres/sent-with-commit.ts'
import { canonicalJson, parseCanonicalJson } from './canonical-json.ts'
import { refusalError } from './refusal-error.ts'

const MAX_KEY_LENGTH = 200
const KEPT_DAYS = 7

export interface Submission {
  readonly uid: string
  readonly operation: string
  readonly key: string
  /** All arguments except the key itself. */
  readonly args: object
}

type Claim = Omit<Submission, 'args'> & { readonly argumentsSha256: Buffer }

/** Returns a row when the key is new, or older than {@link KEPT_DAYS} days and therefore taken over. */
const claim = compileOnce<Claim, { key: string }>((place, builder) => {
  const argumentsSha256 = place('argumentsSha256')
  return builder
    .insertInto('idempotencyKeys')
    .values({ uid: place('uid'), operation: place('operation'), key: place('key'), argumentsSha256 })
    .onConflict(conflict =>
      conflict
        .columns(['uid', 'operation', 'key'])
        .doUpdateSet({ argumentsSha256, answer: null, createdAt: sql`now()` })
        .where(sql<boolean>`idempotency_keys.created_at < now() - make_interval(days => ${KEPT_DAYS})`),
    )
    .returning('key')
})

/**
 * Claims the key for this transaction. `first: true`: do the work, then {@link keepAnswer}; otherwise `answer` is that
 * of the first submission. A concurrent duplicate waits here until the first transaction ends. Tested by
 * `platform/graphql/mutation.test.ts`. @throws the refusal of a key that was used with other arguments
 */
export async function claimKey(
  tx: Transaction,
  submission: Submission,
): Promise<{ readonly first: true } | { readonly first: false; readonly answer: unknown }> {
  const { uid, operation, key } = submission
  demandKey(key)
  const argumentsSha256 = hashOf(submission)
  const { rows } = await tx.executeQuery(claim({ uid, operation, key, argumentsSha256 }))
  if (rows.length > 0) return { first: true }
  const kept = await findAnswer(tx, submission)
  if (!kept) throw new Error('an idempotency key that could not be claimed is not there')
  return kept
}

/**
 * The answer of an earlier submission; undefined when there is none yet. @throws the refusal of a key that was used
 * with other arguments
 */
export async function findAnswer(
  reader: Reader,
  submission: Submission,
): Promise<{ readonly first: false; readonly answer: unknown } | undefined> {
  demandKey(submission.key)
  const kept = await reader
    .selectFrom('idempotencyKeys')
    .select(['argumentsSha256', sql<string>`answer #>> '{}'`.as('answer')])
    .where('uid', '=', submission.uid)
    .where('operation', '=', submission.operation)
    .where('key', '=', submission.key)
    .where(sql<boolean>`created_at >= now() - make_interval(days => ${KEPT_DAYS})`)
    .executeTakeFirst()
  if (!kept) return undefined
  if (!kept.argumentsSha256.equals(hashOf(submission))) {
    throw refusalError([refusal('idempotency/key-reused', ['idempotencyKey'])])
  }
  return { first: false, answer: parseCanonicalJson(kept.answer) }
}

function hashOf({ args }: Submission): Buffer {
  return createHash('sha256').update(canonicalJson(args)).digest()
}

/** @throws the refusal of a key that is too long or has other than printable ASCII characters */
function demandKey(key: string): void {
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= MAX_KEY_LENGTH) return
  throw refusalError([refusal('idempotency/key-invalid', ['idempotencyKey'], { max: MAX_KEY_LENGTH })])
}

type KeptAnswer = Omit<Submission, 'args'> & { readonly answer: string }

const setAnswer = compileOnce<KeptAnswer, never>((place, builder) =>
  builder
    .updateTable('idempotencyKeys')
    .set({ answer: place('answer') })
    .where('uid', '=', place('uid'))
    .where('operation', '=', place('operation'))
    .where('key', '=', place('key')),
)

/**
 * Stores the answer in the transaction of the work. It is a JSON string inside the `jsonb` column, because `jsonb`
 * would change the order of keys and the spelling of numbers.
 */
export async function keepAnswer(tx: Transaction, { uid, operation, key }: Submission, answer: unknown): Promise<void> {
  const text = JSON.stringify(canonicalJson(answer ?? null))
  await sendWithCommit(tx, setAnswer({ uid, operation, key, answer: text }))
}

/** Deletes keys older than seven days; returns how many. */
export async function forgetOldKeys(tx: Transaction): Promise<bigint> {
  const { numDeletedRows } = await tx
    .deleteFrom('idempotencyKeys')
    .where(sql<boolean>`created_at < now() - make_interval(days => ${KEPT_DAYS})`)
    .executeTakeFirst()
  return numDeletedRows
}
