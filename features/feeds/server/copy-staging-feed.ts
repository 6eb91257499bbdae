import type { SentFeedFields } from '@pc/domain/feed/feed-record.ts'
import { type Refusal, refusal } from '@pc/domain/refusal.ts'
import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import { type Result, refused } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import type { FeedRow } from './feed-store.ts'
import { addFeed } from './save-feed.ts'
import { lockStagingFeed, markFeedCopied } from './staging-store.ts'

/**
 * Creates a feed from one of the staging system; a staging feed can be copied once. Values of the form take precedence over
 * staging's. By default the publisher is the one that was created from the feed's staging publisher.
 * Tested by `features/publishers/server/staging-api.test.ts`.
 */
export async function copyStagingFeed(
  stagingFeedId: string,
  input: SentFeedFields,
  write: Write<'write:update', 'insight:feed.'>,
): Promise<Result<FeedRow, Refusal<RefusalCode>>> {
  const { tx, permit } = write
  const source = await lockStagingFeed(tx, stagingFeedId)
  if (!source) return refused(refusal('staging/not-found', ['input', 'stagingFeedId']))
  if (source.feedId !== null) return refused(refusal('staging/already-copied', ['input', 'stagingFeedId']))
  const publisherId = input.publisherId ?? source.publisherId
  if (publisherId === null) return refused(refusal('staging/publisher-not-copied', ['input', 'publisherId']))
  const { mediumId, ...fields } = source.fields
  const ofStaging: SentFeedFields = { ...fields, mediumId: BigInt(mediumId), name: source.name, url: source.url }
  const added = await addFeed({ ...ofStaging, ...input, publisherId }, write, { stagingFeedId })
  if (added.ok) await markFeedCopied(tx, stagingFeedId, added.value.id, permit.viewer.uid)
  return added
}
