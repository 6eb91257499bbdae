import { checkFeedFields, type FeedFields, NEW_FEED, type SentFeedFields } from '@pc/domain/feed/feed-record.ts'
import { inPlace, outOfPlace, type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { ok, type Result, refused } from '@pc/domain/result.ts'
import { editedByOther } from '@pc/platform/audit/edited-by-other.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { webAddress } from '@pc/platform/http/web-address.ts'
import type { Transaction } from '@pc/platform/postgres/database.ts'
import { refusalOfConstraint, refusalOfOnlyRow } from '@pc/platform/postgres/translate-sql-state.ts'
import { sql } from 'kysely'
import { type FeedRow, feedsOf } from './feed-store.ts'

const URL_FIELDS = ['url', 'siteUrl', 'logoUrl', 'wideLogoUrl', 'bannerUrl'] as const

type Refused = Refusal<RefusalCode>
type FeedWrite = Write<'write:update' | 'write:create', 'insight:feed.'>
/** Fields that a new feed needs, with the refusal when one is missing. */
const NEEDED = {
  publisherId: 'feed/publisher-unknown',
  mediumId: 'feed/medium-unknown',
  name: 'feed/name-missing',
  url: 'feed/url-not-web',
  type: 'feed/type-missing',
} as const

/** Adds a feed, which is checked from now on. @param origin set for a copy from staging */
export async function addFeed(
  input: SentFeedFields,
  write: FeedWrite,
  origin: { readonly stagingFeedId: string } | undefined = undefined,
): Promise<Result<FeedRow, Refused>> {
  const added = await addFeeds([input], write, origin)
  if (!added.ok) return refused(...outOfPlace(added.refusals))
  return ok(await whole(write.tx, added.value[0] ?? 0n))
}

/** Adds all feeds, or none when one is refused. @throws a violated constraint, which does not tell the feed */
export async function addFeeds(
  inputs: readonly SentFeedFields[],
  write: FeedWrite,
  origin: { readonly stagingFeedId: string } | undefined = undefined,
): Promise<Result<readonly bigint[], Refused>> {
  const { tx } = write
  const checked = inputs.map(newFeed)
  const wrong = checked.flatMap((one, place) => (one.ok ? [] : inPlace(place, one.refusals)))
  if (wrong.length > 0) return { ok: false, refusals: wrong }
  const feeds = checked.flatMap(one => (one.ok ? [one.value] : []))
  const unknown = (await unknownReferences(tx, feeds)).flatMap((refusals, place) => inPlace(place, refusals))
  if (unknown.length > 0) return { ok: false, refusals: unknown }
  const unruled = (await withoutRule(tx, feeds)).map(place => ({ place, refusals: [WITHOUT_RULE] }))
  if (unruled.length > 0)
    return { ok: false, refusals: unruled.flatMap(({ place, refusals }) => inPlace(place, refusals)) }
  const rows = feeds.map(feed => ({ ...feed, ...origin }))
  try {
    const made = await tx.insertInto('feeds').values(rows).returning(['id', 'url']).execute()
    const ids = new Map(made.map(({ id, url }) => [url, id]))
    for (const row of rows) {
      const after = { ...row, revision: 1 }
      write.record({ action: 'create', resource: 'insight:feed.', rowId: ids.get(row.url) ?? 0n, before: null, after })
    }
    return ok(made.map(({ id }) => id))
  } catch (error) {
    return refused(...inPlace(0, [refusalOfOnlyRow(error, rows, CONSTRAINTS)]))
  }
}

function newFeed(input: SentFeedFields): Result<FeedFields, Refused> {
  const missing = Object.entries(NEEDED).flatMap(([name, code]) =>
    input[name as keyof typeof NEEDED] === undefined ? [refusal(code, ['input', name])] : [],
  )
  const checked = cleaned(input)
  if (!checked.ok || missing.length > 0) return refused(...missing, ...(checked.ok ? [] : checked.refusals))
  const { publisherId, mediumId, name, url, type } = checked.value
  if (publisherId === undefined || mediumId === undefined || name === undefined)
    throw new TypeError('unreachable: checked above')
  if (url === undefined || type === undefined) throw new TypeError('unreachable: checked above')
  return ok({ ...NEW_FEED, ...checked.value, publisherId, mediumId, name, url, type })
}

const CONSTRAINTS = {
  feeds_url: { code: 'feed/url-taken', path: ['input', 'url'] },
  feeds_same_organization: { code: 'feed/publisher-of-other-organization', path: ['input', 'publisherId'] },
} as const

/** Changes the fields that were sent. */
export async function changeFeed(
  id: bigint,
  input: SentFeedFields,
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
    Object.entries(checked.value).filter(([name, value]) => stored[name as keyof FeedFields] !== value),
  ) as Partial<FeedFields>
  if (Object.keys(changes).length === 0) {
    write.recordNothing()
    return ok(await whole(tx, id))
  }
  const [unknown = []] = await unknownReferences(tx, [changes])
  if (unknown.length > 0) return refused(...unknown)
  const isMoved = changes.publisherId !== undefined || changes.mediumId !== undefined
  if (isMoved && (await withoutRule(tx, [{ ...stored, ...changes }])).length > 0) return refused(WITHOUT_RULE)
  try {
    await tx
      .updateTable('feeds')
      .set(eb => ({ ...changes, revision: revision + 1, updatedAt: eb.fn<Date>('now') }))
      .where('id', '=', id)
      .execute()
  } catch (error) {
    return refused(refusalOfConstraint(error, CONSTRAINTS))
  }
  // A new URL is another document, so the health of the old one is deleted.
  if (changes.url !== undefined) await tx.deleteFrom('feedHealth').where('feedId', '=', id).execute()
  const before = Object.fromEntries(Object.keys(changes).map(name => [name, stored[name as keyof FeedFields]]))
  write.record({
    action: 'update',
    resource: 'insight:feed.',
    rowId: id,
    before: { ...before, revision },
    after: { ...changes, revision: revision + 1 },
  })
  return ok(await whole(tx, id))
}

/** The sent fields as they are stored: URLs canonical, texts trimmed. */
function cleaned(input: SentFeedFields): Result<Partial<FeedFields>, Refused> {
  const refusals: Refused[] = [...checkFeedFields({ ...input })]
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
  return refusals.length > 0 ? refused(...refusals) : ok(values as Partial<FeedFields>)
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u{2028}\u{2029}]+/gu, ' ')
}

const WITHOUT_RULE = refusal('feed/medium-without-rule', ['input', 'mediumId'])

/** Indexes of feeds whose publisher has no payment rule on the medium, so that their articles would earn nothing. */
async function withoutRule(
  tx: Transaction,
  feeds: readonly Pick<FeedFields, 'publisherId' | 'mediumId'>[],
): Promise<readonly number[]> {
  const publisherIds = feeds.map(feed => feed.publisherId)
  const rows = await tx
    .selectFrom('agreementPublisherRules')
    .select(['publisherId', 'mediumId'])
    .where('publisherId', '=', sql<bigint>`any(${publisherIds}::bigint[])`)
    .execute()
  const ruled = new Set(rows.map(row => `${row.publisherId} ${row.mediumId}`))
  return feeds.flatMap((feed, place) => (ruled.has(`${feed.publisherId} ${feed.mediumId}`) ? [] : [place]))
}

/** For each feed, refusals for the publisher or medium that does not exist. */
async function unknownReferences(
  tx: Transaction,
  feeds: readonly Partial<FeedFields>[],
): Promise<readonly (readonly Refused[])[]> {
  const publishers = await existing(tx, 'publishers', new Set(feeds.map(({ publisherId }) => publisherId)))
  const media = await existing(tx, 'media', new Set(feeds.map(({ mediumId }) => mediumId)))
  return feeds.map(({ publisherId, mediumId }) => [
    ...(publisherId === undefined || publishers.has(publisherId)
      ? []
      : [refusal('feed/publisher-unknown', ['input', 'publisherId'] as const)]),
    ...(mediumId === undefined || media.has(mediumId)
      ? []
      : [refusal('feed/medium-unknown', ['input', 'mediumId'] as const)]),
  ])
}

async function existing(
  tx: Transaction,
  table: 'publishers' | 'media',
  named: ReadonlySet<bigint | undefined>,
): Promise<ReadonlySet<bigint>> {
  const ids = [...named].filter(id => id !== undefined)
  if (ids.length === 0) return new Set()
  const rows = await tx.selectFrom(table).select('id').where('id', '=', sql<bigint>`any(${ids}::bigint[])`).execute()
  return new Set(rows.map(({ id }) => id))
}

async function whole(tx: Transaction, id: bigint): Promise<FeedRow> {
  const [feed] = await feedsOf(tx, [id])
  if (!feed) throw new Error('a feed that was just written is gone')
  return feed
}
