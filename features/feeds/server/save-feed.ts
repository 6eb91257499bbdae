import { checkFeedInput } from '@pc/domain/feed/feed-input.ts'
import type { FeedType } from '@pc/domain/feed/feed-type.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { webAddress } from '@pc/platform/http/web-address.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import type { Tables } from '@pc/platform/postgres/tables.ts'
import { refusalOfConstraint } from '@pc/platform/postgres/translate-sql-state.ts'
import type { Selectable } from 'kysely'
import { type FeedRow, feedsOf } from './feed-store.ts'

/** What a form sends. Absent: unchanged, or the default of a new feed. */
export interface FeedInput {
  readonly publisherId?: bigint | undefined
  readonly mediumId?: bigint | undefined
  readonly enabled?: boolean | undefined
  readonly name?: string | undefined
  readonly shortName?: string | undefined
  readonly siteUrl?: string | undefined
  readonly description?: string | undefined
  readonly url?: string | undefined
  readonly logoUrl?: string | undefined
  readonly wideLogoUrl?: string | undefined
  readonly bannerUrl?: string | undefined
  readonly relatedLinkNum?: number | undefined
  readonly articleExpirationDays?: number | undefined
  readonly type?: FeedType | undefined
  readonly allowVideo?: boolean | undefined
  readonly allowContentBody?: boolean | undefined
  readonly ttlMinutes?: number | undefined
  // In-house fields.
  readonly legacyFeedId?: string | null | undefined
  readonly isDeleteFeed?: boolean | undefined
  readonly isSafeForFirstview?: boolean | undefined
  readonly availabilityForPromo?: boolean | undefined
  readonly manuallyFeedScore?: number | undefined
  readonly notes?: string | null | undefined
}

/** Columns of a feed that a form writes. */
export type FeedValues = Omit<
  Selectable<Tables['feeds']>,
  'id' | 'createdAt' | 'updatedAt' | 'revision' | 'searchText' | 'stagingFeedId'
>

export const IN_HOUSE_FEED_FIELDS = [
  'legacyFeedId',
  'isDeleteFeed',
  'isSafeForFirstview',
  'availabilityForPromo',
  'manuallyFeedScore',
] as const

const URL_FIELDS = ['url', 'siteUrl', 'logoUrl', 'wideLogoUrl', 'bannerUrl'] as const
const NEW_FEED: Omit<FeedValues, 'publisherId' | 'mediumId' | 'name' | 'url' | 'type'> = {
  enabled: true,
  shortName: '',
  siteUrl: '',
  description: '',
  logoUrl: '',
  wideLogoUrl: '',
  bannerUrl: '',
  relatedLinkNum: 0,
  articleExpirationDays: 30,
  allowVideo: false,
  allowContentBody: true,
  ttlMinutes: 15,
  legacyFeedId: null,
  isDeleteFeed: false,
  isSafeForFirstview: false,
  availabilityForPromo: false,
  manuallyFeedScore: 0,
  notes: null,
}

type Refused = Refusal<RefusalCode>
type FeedWrite = Write<'write:update' | 'write:create', 'insight:feed.'>
/** Where a refused new feed lacks something. */
const NEEDED = {
  publisherId: 'feed/publisher-unknown',
  mediumId: 'feed/medium-unknown',
  name: 'feed/name-missing',
  url: 'feed/url-not-web',
} as const

/** Adds a feed. Its articles are read from now on. */
export async function addFeed(
  input: FeedInput,
  write: FeedWrite,
  origin: { readonly stagingFeedId: string } | undefined = undefined,
): Promise<Result<FeedRow, Refused>> {
  const missing = Object.entries(NEEDED).flatMap(([name, code]) =>
    input[name as keyof typeof NEEDED] === undefined ? [refusal(code, ['input', name])] : [],
  )
  const checked = cleaned(input)
  if (!checked.ok || missing.length > 0) return refused(...missing, ...(checked.ok ? [] : checked.refusals))
  const { publisherId, mediumId, name, url } = checked.value
  if (publisherId === undefined || mediumId === undefined || name === undefined || url === undefined)
    throw new TypeError('unreachable: checked above')
  const values = {
    ...NEW_FEED,
    ...checked.value,
    publisherId,
    mediumId,
    name,
    url,
    type: checked.value.type ?? 'legacy',
  }
  const { tx } = write
  const unknown = await unknownReferences(tx, values)
  if (unknown.length > 0) return refused(...unknown)
  try {
    const { id } = await tx
      .insertInto('feeds')
      .values({ ...values, ...origin })
      .returning('id')
      .executeTakeFirstOrThrow()
    write.record({
      action: 'create',
      resource: 'insight:feed.',
      rowId: id,
      before: null,
      after: { ...values, ...origin, revision: 1 },
    })
    return ok(await whole(tx, id))
  } catch (error) {
    return refused(refusalOfConstraint(error, CONSTRAINTS))
  }
}

const CONSTRAINTS = { feeds_url: { code: 'feed/url-taken', path: ['input', 'url'] } } as const

/** Changes what the form sent and leaves the rest. */
export async function changeFeed(
  id: bigint,
  input: FeedInput,
  expectedRevision: number | null | undefined,
  write: FeedWrite,
): Promise<Result<FeedRow, Refused>> {
  const { tx } = write
  const stored = await tx.selectFrom('feeds').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!stored) return refused(refusal('record/not-found', ['input', 'id']))
  const { revision } = stored
  const stale = await editedByOther(tx, { resource: 'insight:feed.', rowId: id, revision, expectedRevision })
  if (stale) return refused(stale)
  const checked = cleaned(input)
  if (!checked.ok) return checked
  const changes = Object.fromEntries(
    Object.entries(checked.value).filter(([name, value]) => stored[name as keyof FeedValues] !== value),
  ) as Partial<FeedValues>
  if (Object.keys(changes).length === 0) {
    write.recordNothing()
    return ok(await whole(tx, id))
  }
  const unknown = await unknownReferences(tx, changes)
  if (unknown.length > 0) return refused(...unknown)
  try {
    await tx
      .updateTable('feeds')
      .set(eb => ({ ...changes, revision: revision + 1, updatedAt: eb.fn<Date>('now') }))
      .where('id', '=', id)
      .execute()
  } catch (error) {
    return refused(refusalOfConstraint(error, CONSTRAINTS))
  }
  // Another address is another feed to whoever reads it: what is known of the old one says nothing.
  if (changes.url !== undefined) await tx.deleteFrom('feedHealth').where('feedId', '=', id).execute()
  const before = Object.fromEntries(Object.keys(changes).map(name => [name, stored[name as keyof FeedValues]]))
  write.record({
    action: 'update',
    resource: 'insight:feed.',
    rowId: id,
    before: { ...before, revision },
    after: { ...changes, revision: revision + 1 },
  })
  return ok(await whole(tx, id))
}

/** The sent fields in the form in which they are kept; addresses canonical, texts trimmed. */
function cleaned(input: FeedInput): Result<Partial<FeedValues>, Refused> {
  const refusals: Refused[] = [...checkFeedInput({ ...input })]
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    if (typeof value !== 'string') values[name] = value
    else
      values[name] = (name === 'notes' || name === 'description' ? value.replaceAll('\0', '') : oneLine(value)).trim()
  }
  for (const name of URL_FIELDS) {
    const text = values[name]
    if (typeof text !== 'string' || (text === '' && name !== 'url')) continue
    const address = webAddress(text)
    if (address === undefined) refusals.push(refusal('feed/url-not-web', ['input', name]))
    else values[name] = address
  }
  return refusals.length > 0 ? refused(...refusals) : ok(values as Partial<FeedValues>)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u{2028}\u{2029}]+/gu, ' ')
}

async function unknownReferences(tx: Transaction, values: Partial<FeedValues>): Promise<Refused[]> {
  const refusals: Refused[] = []
  if (values.publisherId !== undefined) {
    const found = await tx.selectFrom('publishers').select('id').where('id', '=', values.publisherId).executeTakeFirst()
    if (!found) refusals.push(refusal('feed/publisher-unknown', ['input', 'publisherId']))
  }
  if (values.mediumId !== undefined) {
    const found = await tx.selectFrom('media').select('id').where('id', '=', values.mediumId).executeTakeFirst()
    if (!found) refusals.push(refusal('feed/medium-unknown', ['input', 'mediumId']))
  }
  return refusals
}

async function whole(tx: Transaction, id: bigint): Promise<FeedRow> {
  const [feed] = await feedsOf(tx, [id])
  if (!feed) throw new Error('a feed that was just written is gone')
  return feed
}
