import zlib from 'node:zlib'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { csv, ingestFixture, parquet } from '@pc/testing/statistics/ingest-fixture.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { DATASET_COLUMNS, type Dataset } from './dataset-columns.ts'

const fixture = await ingestFixture({ limits: { expansionFreeBytes: 1024 * 1024, contentBytes: 64 * 1024 * 1024 } })
afterAll(() => fixture.close())

async function refusal(dataset: Dataset, content: string | Buffer) {
  const outcome = await fixture.take(dataset, content)
  if (outcome.kind !== 'refused') throw new Error(`not refused: ${outcome.kind}`)
  return outcome.refusal
}
async function errors(dataset: Dataset, content: string | Buffer) {
  const { code, rowErrors } = await refusal(dataset, content)
  expect(code).toBe('ingest/bad-rows')
  return rowErrors.map(({ line, column, message }) => `${line} ${column}: ${message}`)
}

const GOOD: Readonly<Record<string, unknown>> = {
  date: '2026-11-01',
  medium_id: 1,
  publisher_id: 2,
  article_id: 3,
  video_id: 3,
  impression: 10,
  click: 1,
  article_impression: 1,
  article_click: 1,
  timestamp: '2026-11-01T00:00:00Z',
  type: 'click',
  kind: 'article',
  medium_article_id: 'a-3',
  title: '見出し',
  url: 'https://news.example/3',
  duration_seconds: 90,
  published_at: '2026-11-01T00:00:00Z',
}
/** One row of the dataset with some values changed. */
function row(dataset: Dataset, change: Readonly<Record<string, unknown>>): string {
  const given = { ...(dataset === 'events' ? { ...GOOD, video_id: undefined } : GOOD), ...change }
  const names = DATASET_COLUMNS[dataset].map(({ name }) => name).filter(name => given[name] !== undefined)
  return csv(names, [names.map(name => given[name])])
}

describe('a wrong value is reported by line and column, with what to write instead', () => {
  const cases: readonly (readonly [Dataset, string, unknown, string])[] = [
    ['article-daily', 'date', '', 'date（日付）が空です'],
    ['article-daily', 'date', '2026/11/01', 'YYYY-MM-DD の形で'],
    ['article-daily', 'date', '2026-02-29', '日付ではありません'],
    ['article-daily', 'date', '2020-11-30', '2020-12-01 以降'],
    ['article-daily', 'date', '2026-11-21', '未来です'],
    [
      'article-daily',
      'medium_id',
      '7',
      '媒体番号 7（medium_id）は登録されていません。「媒体」の画面で番号 7 の媒体を登録',
    ],
    ['article-daily', 'publisher_id', '999', '先にパブリッシャーを登録'],
    ['article-daily', 'article_id', '0', '1 以上、2の53乗未満の整数'],
    ['article-daily', 'impression', '1,234', '整数ではありません'],
    ['article-daily', 'impression', '1e3', '整数ではありません'],
    ['article-daily', 'impression', ' 5', '整数ではありません'],
    ['article-daily', 'impression', '5.0', '整数ではありません'],
    ['article-daily', 'impression', '１０', '整数ではありません'],
    ['article-daily', 'impression', '007', '範囲外です'],
    ['article-daily', 'impression', '-1', '0 から 1000000000000 までの整数'],
    ['article-daily', 'impression', '9007199254740992', '0 から 1000000000000 まで'],
    ['article-daily', 'impression', '99999999999999999999999', '0 から 1000000000000 まで'],
    ['article-daily', 'completion', '8', '閲覧数（watch）より多くなっています'],
    ['article-daily', 'engaged_time_ms', '1000000000000001', '0 から 1000000000000000 まで'],
    ['article-daily', 'engaged_time_ms', '5', '閲覧数（watch）が 0 の行に'],
    ['article-daily', 'completion', '1.5', '整数ではありません'],
    ['article-daily', 'demographics', '{oops', 'JSON を読めません'],
    ['article-daily', 'demographics', '{"genderId":1}', 'JSON を読めません'],
    ['article-daily', 'demographics', '[{"genderId":3,"ageId":1,"click":1}]', 'genderId は 0 から 2'],
    ['article-daily', 'demographics', '[{"genderId":1,"ageId":1,"click":1.5}]', '使えない値'],
    ['article-daily', 'demographics', '[{"genderId":1,"ageId":1}]', '使えない値'],
    [
      'article-daily',
      'demographics',
      '[{"genderId":1,"ageId":1,"click":1},{"genderId":1,"ageId":1,"click":1}]',
      '重複',
    ],
    ['video-daily', 'watch_time', '[{"bucketId":11,"watch":1}]', 'bucketId は 0 から 10'],
    ['summary-daily', 'follower', '-3', 'フォロワー数'],
    ['events', 'timestamp', '2026-11-01T00:00:00', '時差を付けて'],
    ['events', 'timestamp', '2026-11-20T12:00:01+09:00', '未来です'],
    ['events', 'type', 'view', 'impression、click、watch のいずれか'],
    ['events', 'kind', 'podcast', 'article、video、live のいずれか'],
    ['events', 'article_id', '', 'この kind の行には article_id'],
    ['events', 'video_id', '4', 'この kind の行に video_id（動画ID）は書けません'],
    ['events', 'watched_ms', '4', 'type が watch の行にだけ'],
    ['events', 'gender_id', '3', '0 から 2 までの整数'],
    ['articles', 'article_id', '0', '1 以上、2の53乗未満の整数'],
    ['articles', 'medium_id', '7', '媒体番号 7（medium_id）は登録されていません。「媒体」の画面で番号 7 の媒体を登録'],
    ['articles', 'publisher_id', '999', '先にパブリッシャーを登録'],
    ['articles', 'feed_id', '999', '先にフィードを登録'],
    ['articles', 'medium_article_id', '', '媒体の記事ID）が空です'],
    ['articles', 'medium_article_id', 'x'.repeat(201), '200文字以内'],
    ['articles', 'title', '', 'title（タイトル）が空です'],
    ['articles', 'title', ' \u3000', 'title（タイトル）が空です'],
    ['articles', 'title', '漢'.repeat(501), '500文字以内'],
    ['articles', 'title', '\u200b\u202e', 'title（タイトル）が空です'],
    ['articles', 'medium_article_id', 'a\u202e1', '「a�1」に、改行や、文字の並ぶ向きを変える記号'],
    ['articles', 'medium_article_id', 'a\n1', '表示されない文字'],
    ['articles', 'url', 'news.example/1', 'https:// か http:// で始まり'],
    ['articles', 'url', 'javascript:alert(1)', 'URL として使えません'],
    ['articles', 'url', 'https://user:pw@evil.example/', 'URL として使えません'],
    ['articles', 'url', `https://news.example/${'x'.repeat(2048)}`, '2048文字以内'],
    ['articles', 'published_at', '2026-11-01', '時差を付けて'],
    ['articles', 'published_at', '1969-12-31T00:00:00Z', '1990-01-01 以降'],
    ['articles', 'published_at', '2027-11-22T00:00:00Z', '366日後まで'],
    [
      'videos',
      'thumbnail_url',
      'data:image/svg+xml,x',
      'サムネイルのURL）の「data:image/svg+xml,x」は URL として使えません',
    ],
    ['videos', 'duration_seconds', '-1', '0 から 2147483647 までの整数'],
    ['videos', 'duration_seconds', '1.5', '整数ではありません'],
    ['videos', 'url', 'ftp://news.example/', 'URL として使えません'],
  ]
  test.each(cases)('%s %s %j', async (dataset, column, value, says) => {
    const found = await errors(dataset, row(dataset, { [column]: value }))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^2 ${column}: `))
    expect(found[0]).toContain(says)
  })

  test('a missing required value, doubled keys', async () => {
    const names = ['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click', 'watch']
    const line = ['2026-11-01', 1, 2, 3, 4, 5]
    expect(
      await errors(
        'article-daily',
        csv(names, [
          [...line, ''],
          [...line, 1],
          [...line, 1],
        ]),
      ),
    ).toEqual([
      '2 watch: watch（閲覧数）が空です。値を書いてください。',
      '3 : 同じ日付・媒体・対象の行が、このファイルに2行以上あります。1行にまとめてください。',
      '4 : 同じ日付・媒体・対象の行が、このファイルに2行以上あります。1行にまとめてください。',
    ])
  })
})

describe('lines are those of the file', () => {
  const HEADER = 'date,medium_id,publisher_id,article_id,impression,click,demographics'
  const good = (article: number) => `2026-11-01,1,2,${article},1,1,`
  const quoted = (article: number) => `2026-11-01,1,2,${article},1,1,"[{""genderId"":1,\n""ageId"":1,\n""click"":1}]"`
  const wrong = '2026-11-01,1,2,x,1,1,'
  test.each([
    ['after quoted line breaks', [HEADER, quoted(1), wrong], [5]],
    ['after blank lines', [HEADER, good(1), '', wrong], [4]],
    [
      'of records with too few and too many columns',
      [HEADER, '2026-11-01,1', good(1), `${good(2)},x`, wrong],
      [2, 4, 5],
    ],
    ['of wrong quotes', [HEADER, '2026-11-01,1,2,3,1,1,"a"b', good(1), wrong], [2, 4]],
    ['of quotes inside a value', [HEADER, '2026-11-01,1,2,3,1,1,x[{""a""', good(1), wrong], [2, 4]],
    [
      'of a record that breaks in two',
      [HEADER, '2026-11-01,1,2,3,1,1,"[{""a"":1,"x"":1,""b"":1}]"', good(1), wrong],
      [2, 4],
    ],
    ['of the last line without its end', [HEADER, good(1), wrong], [3]],
  ])('%s', async (_name, lines, expected) => {
    for (const [lineBreak, bom] of [
      ['\n', ''],
      ['\r\n', ''],
      ['\n', '\ufeff'],
      ['\r\n', '\ufeff'],
    ] as const) {
      const content = `${bom}${lines.join(lineBreak)}`
      const { rowErrors, badRows } = await refusal('article-daily', content)
      expect(
        rowErrors.map(({ line }) => line - 0),
        JSON.stringify([lineBreak, bom]),
      ).toEqual(expected)
      expect(badRows).toBe(expected.length)
    }
  })

  test('wrong encoding', async () => {
    const content = Buffer.concat([
      Buffer.from(`${HEADER}\n${good(1)}\n2026-11-01,1,2,5,1,1,`),
      Buffer.from([0x83, 0x41, 0x0a]),
    ])
    expect(await errors('article-daily', content)).toEqual([
      '3 : UTF-8 ではない文字があります。Excel では「CSV UTF-8（コンマ区切り）」を選んで、保存し直してください。',
    ])
  })

  test('NUL in a value', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => good(at + 1))
    expect(await errors('article-daily', [HEADER, ...rows, '2026-11-01,1,2,99,5\0,1,'].join('\n'))).toEqual([
      '22 impression: impression（表示回数）の「5�」は整数ではありません。桁区切りや小数点のない0 から 1000000000000 までの整数で書いてください。',
    ])
  })

  test('NDJSON', async () => {
    const object = { date: '2026-11-01', medium_id: 1, publisher_id: 2, article_id: 3, impression: 4, click: 5 }
    const lines = [
      object,
      '',
      '{oops',
      { ...object, article_id: 4, click: 1.5 },
      [1],
      { ...object, article_id: 5, click: true },
    ]
    const content = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    expect(await errors('article-daily', content)).toEqual([
      '3 : JSON のオブジェクトとして読めません。1行に1つのオブジェクトを書いてください。',
      '4 click: click（クリック数）の「1.5」は整数ではありません。桁区切りや小数点のない0 から 1000000000000 までの整数で書いてください。',
      '5 : JSON のオブジェクトとして読めません。1行に1つのオブジェクトを書いてください。',
      '6 click: click（クリック数）の「true」は整数ではありません。桁区切りや小数点のない0 から 1000000000000 までの整数で書いてください。',
    ])
  })

  test('a hundred errors are listed, all wrong rows counted', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) => ['2026-11-01', 1, 2, at + 1, -1, 1])
    const found = await refusal(
      'article-daily',
      csv(['date', 'medium_id', 'publisher_id', 'article_id', 'impression', 'click'], rows),
    )
    expect(found.badRows).toBe(5000)
    expect(found.rowErrors).toHaveLength(100)
    expect(found.message).toContain('5,000行')
  })
})

const HEADER = 'date,medium_id,publisher_id,article_id,impression,click\n'

describe('a file as a whole', () => {
  test.each([
    ['nothing', '', 'ingest/empty'],
    ['a header alone', 'date,medium_id,publisher_id,article_id,impression,click\n', 'ingest/no-rows'],
    ['no header', '2026-11-01,1,2,3,4,5\n', 'ingest/header'],
    [
      'an unknown column',
      `date,medium_id,publisher_id,article_id,impression,click,'; drop table x --\n`,
      'ingest/header',
    ],
    ['a column twice', 'date,medium_id,publisher_id,article_id,impression,click,click\n', 'ingest/header'],
    [
      'an unknown key',
      '{"date":"2026-11-01","medium_id":1,"publisher_id":1,"article_id":1,"impression":1,"click":1,"clik":1}',
      'ingest/header',
    ],
    ['UTF-16', Buffer.from('\ufeffdate,medium_id', 'utf16le'), 'ingest/unknown-format'],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'ingest/unknown-format'],
    ['a header without end', 'x'.repeat(200_000), 'ingest/header'],
    ['cut gzip', zlib.gzipSync('date,medium_id\n'.repeat(1000)).subarray(0, 40), 'ingest/damaged'],
    ['cut zstd', zlib.zstdCompressSync(Buffer.from('date,medium_id\n'.repeat(1000))).subarray(0, 20), 'ingest/damaged'],
    ['gzip in gzip', zlib.gzipSync(zlib.gzipSync('date\n')), 'ingest/unknown-format'],
    ['a compressed bomb', zlib.gzipSync(`${HEADER}${'2026-11-01,1,1,1,1,1\n'.repeat(1_500_000)}`), 'ingest/too-large'],
    ['half a Parquet file', Buffer.from('PAR1 and then nothing'), 'ingest/damaged'],
  ])('%s', async (_name, content, code) => {
    const found = await refusal('article-daily', content)
    expect(found.code).toBe(code)
    expect(found.message).toMatch(/[ぁ-ん]/)
    expect(found.message).not.toContain(fixture.dataDir)
  })

  test.each([
    ['names of columns', `${HEADER.trim()},clik\n`, 'ingest/header', 'clik'],
    ['a workbook', 'PK\u0003\u0004', 'ingest/unknown-format', 'Excel'],
  ])('%s are refused by the first bytes, however much would follow', async (_name, beginning, code, says) => {
    let bytes = 0
    async function* endless() {
      yield Buffer.from(beginning)
      for (;;) {
        const chunk = Buffer.from('2026-11-01,1,1,1,1,1,1\n'.repeat(3_000))
        bytes += chunk.length
        if (bytes > 50_000_000) throw new Error('it is read to its end')
        yield chunk
      }
    }
    const outcome = await fixture.take('article-daily', '', { input: endless() })
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code, message: expect.stringContaining(says) } })
    expect(bytes).toBeLessThan(5_000_000)
  })

  test('wrong names leave a line in the ledger, for a file of any length', async () => {
    for (const [batchId, rows] of [
      ['short', 1],
      ['long', 30_000],
    ] as const) {
      const content = `${HEADER.trim()},clik\n${'2026-11-01,1,1,1,1,1,1\n'.repeat(rows)}`
      const outcome = await fixture.take('article-daily', content, { batchId, sourceName: `${batchId}.csv` })
      expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'ingest/header' } })
    }
    const lines = await fixture.context.database.inScope(SYSTEM, tx =>
      tx
        .selectFrom('ingestBatches')
        .select(['batchId', 'state', 'sourceName', 'refusedBecause'])
        .where('batchId', 'in', ['short', 'long'])
        .orderBy('batchNo')
        .execute(),
    )
    const refused = { state: 'refused', refusedBecause: expect.stringContaining('clik') }
    expect(lines).toEqual([
      { ...refused, batchId: 'short', sourceName: 'short.csv' },
      { ...refused, batchId: 'long', sourceName: 'long.csv' },
    ])
  })

  test('a value of two megabytes', async () => {
    const content = row('article-daily', { demographics: 'x'.repeat(2_000_000) })
    const found = await refusal('article-daily', content)
    expect(['ingest/bad-rows', 'ingest/damaged']).toContain(found.code)
  })
})

describe('the same rows in every form give the same figures', () => {
  const names = [
    'date',
    'medium_id',
    'publisher_id',
    'video_id',
    'impression',
    'click',
    'watch',
    'watch3s',
    'demographics',
    'watch_time',
  ]
  const rows = Array.from({ length: 50 }, (_, at) => [
    `2026-11-${String((at % 15) + 1).padStart(2, '0')}`,
    1 + (at % 2),
    (at % 20) + 1,
    1000 + at,
    at * 100,
    at * 3,
    at * 2,
    at,
    JSON.stringify([
      { genderId: 1, ageId: 2, click: at, watch3s: at },
      { genderId: 0, ageId: 0, click: at, watch3s: 0 },
    ]),
    JSON.stringify([
      { bucketId: 0, watch: at },
      { bucketId: 10, watch: at },
    ]),
  ])
  const objects = rows.map(cells =>
    JSON.stringify(
      Object.fromEntries(names.map((name, at) => [name, at < 8 ? cells[at] : JSON.parse(String(cells[at]))])),
    ),
  )
  const forms: Record<string, () => Promise<Buffer>> = {
    csv: async () => Buffer.from(csv(names, rows)),
    'csv, Excel': async () => Buffer.from(`\ufeff${csv(names, rows).replaceAll('\n', '\r\n')}`),
    'csv.gz': async () => zlib.gzipSync(csv(names, rows)),
    'csv.zst': async () => zlib.zstdCompressSync(Buffer.from(csv(names, rows))),
    ndjson: async () => Buffer.from(objects.join('\n')),
    'ndjson.gz': async () => zlib.gzipSync(objects.join('\n')),
    parquet: () => parquet(csv(names, rows), 'cast(column as bigint)'),
    'parquet of text': () => parquet(csv(names, rows), 'column'),
    'parquet of doubles, zstd': async () =>
      zlib.zstdCompressSync(await parquet(csv(names, rows), 'cast(column as double)')),
  }
  test('csv, NDJSON, Parquet, plain and packed', async () => {
    let expected: unknown
    for (const [name, make] of Object.entries(forms)) {
      await fixture.clear()
      const outcome = await fixture.take('video-daily', await make())
      expect(outcome.kind === 'refused' ? outcome.refusal : outcome.kind, name).toBe('applied')
      expected ??= await fixture.figures()
      expect(await fixture.figures(), name).toEqual(expected)
    }
    expect((expected as { video_demo_day: unknown[] }).video_demo_day.length).toBeGreaterThan(90)
  })

  test('a Parquet column of the wrong type is reported by its name', async () => {
    const found = await refusal('video-daily', await parquet(csv(names, rows), 'cast(column as bigint) = 3'))
    expect(found.code).toBe('ingest/parquet-type')
    expect(found.message).toContain('medium_id（媒体ID）の型 BOOLEAN')
  })
})
