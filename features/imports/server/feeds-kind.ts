import { feedBoundsText } from '@pc/domain/feed/feed-record.ts'
import { FEED_TYPES, type FeedType } from '@pc/domain/feed/feed-type.ts'
import { ok, type Result } from '@pc/domain/result.ts'
import type { Write } from '@pc/platform/graphql/mutation.ts'
import { webAddress } from '@pc/platform/http/web-address.ts'
import { mediumColumns, mediumReferences, publisherColumns, publisherReferences } from './common-references.ts'
import { choiceColumn, codeColumn, idColumn, textColumn, wholeNumberColumn } from './import-columns.ts'
import type { Cells, ImportKind, PresentRow, Refused } from './import-kind.ts'
import { ENABLED } from './publishers-kind.ts'
import { saveNewAndChanged, saveOneByOne } from './save-rows.ts'
import { YES_NO, yesNo } from './workbook-labels.ts'

type FeedInput = Readonly<Record<string, string | number | bigint | boolean | undefined>> & {
  readonly type?: FeedType | undefined
}
interface FeedUseCases {
  addFeeds(
    inputs: readonly FeedInput[],
    write: Write<'write:create', 'insight:feed.'>,
  ): Promise<Result<unknown, Refused>>
  changeFeed(
    id: bigint,
    input: FeedInput,
    expectedRevision: number | undefined,
    write: Write<'write:update', 'insight:feed.'>,
  ): Promise<Result<unknown, Refused>>
}

const TYPES = Object.fromEntries(FEED_TYPES.map(type => [type, type])) as Readonly<Record<FeedType, string>>
const TEXTS = ['name', 'shortName', 'siteUrl', 'description', 'notes'] as const
const NUMBERS = ['ttlMinutes', 'articleExpirationDays', 'relatedLinkNum'] as const
const FLAGS = ['allowContentBody', 'allowVideo'] as const

const number = (key: (typeof NUMBERS)[number], header: string, example: string) =>
  wholeNumberColumn(key, {
    header,
    example,
    emptyKeeps: true,
    definition: `${feedBoundsText(key)}です。空のときは初期値になります。`,
  })

const COLUMNS = [
  idColumn(),
  ...publisherColumns,
  ...mediumColumns,
  textColumn('name', {
    header: 'フィード名',
    isRequired: true,
    example: 'さくら新聞 主要ニュース',
    definition: 'フィードの名前です。',
  }),
  codeColumn('url', {
    header: 'フィードのURL',
    isRequired: true,
    example: 'https://example.jp/feed.xml',
    definition: 'フィードのURLです。IDが空のときは、同じURLのフィードを指します。',
  }),
  choiceColumn('type', TYPES, { header: '種別', example: 'gnf1', definition: '新規では必須です。' }),
  choiceColumn('enabled', ENABLED, { header: '状態', example: '有効', definition: '' }),
  textColumn('shortName', { header: '短い名前', example: 'さくら', definition: '画面の狭いところに出す名前です。' }),
  codeColumn('siteUrl', {
    header: 'サイトのURL',
    example: 'https://example.jp/',
    definition: 'サイトのURLです。',
  }),
  textColumn('description', { header: '説明', example: '', definition: 'フィードの説明です。' }),
  number('ttlMinutes', '読み込みの間隔（分）', '15'),
  number('articleExpirationDays', '記事の掲載期間（日）', '30'),
  number('relatedLinkNum', '関連リンク数', '0'),
  choiceColumn('allowContentBody', YES_NO, { header: '本文の掲載', example: 'はい', definition: '' }),
  choiceColumn('allowVideo', YES_NO, { header: '動画の掲載', example: 'いいえ', definition: '' }),
  textColumn('notes', { header: '備考', example: '', definition: '社内だけで使う備考です。' }),
]

export function feedsKind({ addFeeds, changeFeed }: FeedUseCases): ImportKind {
  return {
    name: 'feeds',
    title: 'フィード',
    description: '1行が1つのフィードです。先にパブリッシャーとその条件を取り込んでください。',
    fileName: 'feeds',
    needs: [
      ['write:create', 'insight:feed.'],
      ['write:update', 'insight:feed.'],
      // 備考 is a note of staff.
      ['write:create', 'insight:in_house_note.'],
      ['write:update', 'insight:in_house_note.'],
    ],
    columns: COLUMNS,
    unique: ['url'],
    async open(reader) {
      const publishers = await publisherReferences(reader)
      const media = await mediumReferences(reader)
      const rows = await reader.selectFrom('feeds').selectAll().orderBy('id').execute()
      return {
        present: rows.map(
          (row): PresentRow => ({
            id: String(row.id),
            key: row.url,
            revision: row.revision,
            cells: {
              id: String(row.id),
              ...publishers.cellsOf(row.publisherId),
              ...media.cellsOf(row.mediumId),
              url: row.url,
              type: row.type,
              enabled: ENABLED[row.enabled ? 'true' : 'false'],
              ...Object.fromEntries(TEXTS.map(key => [key, row[key] ?? ''])),
              ...Object.fromEntries(NUMBERS.map(key => [key, String(row[key])])),
              ...Object.fromEntries(FLAGS.map(key => [key, yesNo(row[key])])),
            },
          }),
        ),
        resolve(cells) {
          const publisher = publishers.demand(cells)
          const medium = media.demand(cells)
          if (!publisher.ok || !medium.ok)
            return { ok: false, refusals: [publisher, medium].flatMap(one => (one.ok ? [] : one.refusals)) }
          const named = { ...publishers.cellsOf(publisher.value.id), ...media.cellsOf(medium.value.id) }
          return ok({ ...cells, ...named, ...addresses(cells) })
        },
        keyOf: ({ url = '' }) => url,
        save: (write, rows) =>
          saveNewAndChanged(
            rows,
            added =>
              addFeeds(
                added.map(({ cells }) => inputOf(cells)),
                write.as('write:create', 'insight:feed.'),
              ),
            changed =>
              saveOneByOne(changed, ({ cells, present: { id, revision } }) =>
                changeFeed(BigInt(id), inputOf(cells), revision, write.as('write:update', 'insight:feed.')),
              ),
          ),
      }
    },
  }
}

/** Normalises the URLs as they are stored. An invalid one stays as it is, so that the use case refuses it. */
function addresses({ url = '', siteUrl = '' }: Cells): Cells {
  return { url: webAddress(url) ?? url, siteUrl: webAddress(siteUrl) ?? siteUrl }
}

function inputOf(cells: Cells): FeedInput {
  // An empty cell is undefined, which keeps what is there; so does `&&` behind it.
  const given = (key: string) => cells[key] || undefined
  return {
    publisherId: BigInt(cells.publisherId ?? 0),
    mediumId: BigInt(cells.mediumId ?? 0),
    url: cells.url,
    type: given('type') as FeedType | undefined,
    ...Object.fromEntries(TEXTS.map(key => [key, cells[key] ?? ''])),
    ...Object.fromEntries(NUMBERS.map(key => [key, given(key) && Number(cells[key])])),
    enabled: given('enabled') && cells.enabled === ENABLED.true,
    ...Object.fromEntries(FLAGS.map(key => [key, given(key) && cells[key] === YES_NO.true])),
  }
}
