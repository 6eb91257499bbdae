import { type FeedFinding, feedFindingJa } from '@pc/domain/feed/feed-finding.ts'
import type { FeedType } from '@pc/domain/feed/feed-type.ts'
import { refusal } from '@pc/domain/refusal.ts'
import { field } from '@pc/platform/graphql/field.ts'
import type { Graph } from '@pc/platform/graphql/graph.ts'
import { readId } from '@pc/platform/graphql/list-arguments.ts'
import { refusalError } from '@pc/platform/graphql/refusal-error.ts'
import type { SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import { imageFormatOf } from '@pc/platform/objects/image-format.ts'
import type { ImageUploads } from '@pc/platform/objects/image-uploads.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import { checkFeedContent } from './check-feed-content.ts'
import type { feedGraphTypes } from './feed-graph.ts'
import { findFeed } from './feed-store.ts'
import { type FetchedFeed, fetchFeed } from './fetch-feed.ts'
import type { FeedItem, ReadFeed } from './read-feed.ts'

export interface FeedPreviewDependencies {
  readonly database: Database
  readonly safeFetch: SafeFetch
  readonly imageUploads: ImageUploads
  readonly FeedTypeEnum: ReturnType<typeof feedGraphTypes>['FeedTypeEnum']
}

/** Adds `rss`, `validateFeed` and `imageUploadUrl` for staff who enters a feed, and `feedValidation` for registered feeds. */
export function addFeedPreviewFields(graph: Graph, dependencies: FeedPreviewDependencies): void {
  const { database, safeFetch, imageUploads, FeedTypeEnum } = dependencies
  const { Rss, FeedValidation } = previewTypes(graph)
  graph.queryField('rss', t =>
    field(t, {
      type: Rss,
      args: { rssUrl: t.arg.string({ required: true }) },
      // Only people who enter feeds may make the server request an arbitrary address.
      allow: 'write:update',
      on: 'insight:feed.',
      description: 'What the feed at an address says about itself.',
      async resolve(_parent, { rssUrl }, context) {
        const fetched = await fetchFeed(safeFetch, rssUrl, undefined, context.signal)
        const read = readOrRefuse(fetched, 'rssUrl')
        if (read.reading.feed) return read.reading.feed
        const reason = read.reading.findings.find(finding => finding.severity === 'error')
        const data = { line: reason?.line ?? 0, reason: reason ? feedFindingJa(reason) : '' }
        throw refusalError([refusal('feed/unreadable', ['rssUrl'], data)])
      },
    }),
  )
  graph.queryField('validateFeed', t =>
    field(t, {
      type: FeedValidation,
      args: { url: t.arg.string({ required: true }), type: t.arg({ type: FeedTypeEnum }) },
      allow: 'write:update',
      on: 'insight:feed.',
      description: 'Everything that is wrong with the feed at an address, by line.',
      async resolve(_parent, { url, type }, context) {
        const read = readOrRefuse(await fetchFeed(safeFetch, url, undefined, context.signal), 'url')
        const findings = checkFeedContent(read.reading, (type as FeedType | null) ?? undefined)
        return { feed: read.reading.feed ?? null, findings }
      },
    }),
  )
  graph.queryField('feedValidation', t =>
    field(t, {
      type: FeedValidation,
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      // Everybody who sees a feed may have it checked, because the address is the registered one and not theirs to choose.
      allow: 'read:show',
      on: 'insight:feed.',
      description:
        'Everything that is wrong with a registered feed, by line. Null when there is none that the caller may see.',
      async resolve(_parent, { id }, context, permit) {
        const feed = await findFeed(database, readId(id, ['id']), permit)
        if (!feed) return null
        const read = readOrRefuse(await fetchFeed(safeFetch, feed.url, undefined, context.signal), 'id')
        return { feed: read.reading.feed ?? null, findings: checkFeedContent(read.reading, feed.type as FeedType) }
      },
    }),
  )
  const ImageUpload = graph
    .objectRef<{ readonly uploadUrl: string; readonly imageUrl: string }>('ImageUploadUrl')
    .implement({
      on: 'inherits',
      fields: t => ({
        uploadUrl: t.exposeString('uploadUrl', {
          description: 'Takes one PUT with exactly this content type within five minutes.',
        }),
        imageUrl: t.exposeString('imageUrl', { description: 'Where the picture is found afterwards.' }),
      }),
    })
  graph.queryField('imageUploadUrl', t =>
    field(t, {
      type: ImageUpload,
      args: {
        mimeType: t.arg.string({ required: true, description: 'image/png, image/jpeg or image/webp.' }),
        sizeBytes: t.arg.int({ description: 'Exact size of the file; without it, anything up to 5 MB.' }),
      },
      allow: 'write:update',
      on: 'insight:feed.',
      resolve(_parent, { mimeType, sizeBytes }) {
        const format = imageFormatOf(mimeType)
        if (!format) throw refusalError([refusal('image/type-not-allowed', ['mimeType'])])
        const isInRange = sizeBytes == null || (sizeBytes > 0 && sizeBytes <= imageUploads.maxBytes)
        if (!isInRange) {
          const maxMegabytes = Math.floor(imageUploads.maxBytes / 1_048_576)
          throw refusalError([refusal('image/size-out-of-range', ['sizeBytes'], { maxMegabytes })])
        }
        return imageUploads.address(format, sizeBytes ?? undefined)
      },
    }),
  )
}

function readOrRefuse(fetched: FetchedFeed, argument: string): Extract<FetchedFeed, { kind: 'read' }> {
  if (fetched.kind === 'read') return fetched
  const problem = fetched.kind === 'failed' ? fetched.problem : 'unreadable-body'
  const data = { status: fetched.kind === 'failed' ? (fetched.status ?? 0) : 304, maxMegabytes: 1 }
  throw refusalError([refusal(`feed/${problem}`, [argument], data)])
}

function previewTypes(graph: Graph) {
  const RssItem = graph.objectRef<FeedItem>('RssItem').implement({
    on: 'inherits',
    fields: t => ({
      title: t.exposeString('title'),
      url: t.exposeString('url'),
      publishedAt: t.field({ type: 'DateTime', nullable: true, resolve: item => item.publishedAt ?? null }),
      thumbnailUrl: t.exposeString('thumbnailUrl'),
    }),
  })
  const Rss = graph.objectRef<ReadFeed>('Rss').implement({
    on: 'inherits',
    description: 'Plain text and http(s) addresses only, whatever the feed contained; empty when absent.',
    fields: t => ({
      name: t.exposeString('name'),
      description: t.exposeString('description'),
      siteUrl: t.exposeString('siteUrl'),
      logoUrl: t.exposeString('logoUrl'),
      wideLogoUrl: t.exposeString('wideLogoUrl'),
      format: t.exposeString('format', { description: 'rss, rdf or atom.' }),
      encoding: t.exposeString('encoding'),
      itemCount: t.int({ resolve: feed => feed.items.length }),
      items: t.field({ type: [RssItem], description: 'The first ten.', resolve: feed => feed.items.slice(0, 10) }),
    }),
  })
  const Severity = graph.enumType('FeedFindingSeverity', { values: ['error', 'warning'] as const })
  const Finding = graph.objectRef<FeedFinding>('FeedFinding').implement({
    on: 'inherits',
    fields: t => ({
      severity: t.expose('severity', { type: Severity }),
      line: t.exposeInt('line', { description: 'From 1.' }),
      code: t.exposeString('code'),
      message: t.string({ resolve: feedFindingJa }),
    }),
  })
  const FeedValidation = graph
    .objectRef<{ readonly feed: ReadFeed | null; readonly findings: readonly FeedFinding[] }>('FeedValidation')
    .implement({
      on: 'inherits',
      fields: t => ({
        isUsable: t.boolean({
          resolve: ({ feed, findings }) => feed !== null && findings.every(finding => finding.severity !== 'error'),
        }),
        feed: t.expose('feed', { type: Rss, nullable: true }),
        findings: t.field({ type: [Finding], resolve: validation => [...validation.findings] }),
      }),
    })
  return { Rss, FeedValidation }
}
