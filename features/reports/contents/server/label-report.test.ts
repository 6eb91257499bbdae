import { addDays, type Day, day } from '@pc/domain/month/day.ts'
import { ARTICLE_LABEL_KINDS, type ArticleLabelKind } from '@pc/domain/report/article-label.ts'
import { COMPARISONS } from '@pc/domain/report/comparison.ts'
import { searchWords } from '@pc/domain/text/search-text.ts'
import { fixedClock } from '@pc/platform/clock.ts'
import { SYSTEM } from '@pc/platform/postgres/database.ts'
import { sampleOr } from '@pc/testing/sample-size.ts'
import {
  arrivedDays,
  arrivedRows,
  comparedDays,
  isComparedRow,
  totals,
} from '@pc/testing/statistics/content-second-computation.ts'
import { insertLabelledArticles, type LabelledArticle } from '@pc/testing/statistics/labelled-articles.ts'
import {
  CLOSED_MONTHS,
  makeReportFixture,
  REPORT_MEDIA,
  type ReportPerson,
} from '@pc/testing/statistics/report-store-fixture.ts'
import { openTestStats, STATS_ENGINES, type StatsEngine } from '@pc/testing/statistics/stats-engines.ts'
import { type FactRow, importFacts, randomFrom } from '@pc/testing/statistics/stats-rows.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { articlesCondition } from '../../content-condition.ts'
import { ARTICLES } from '../../core/server/content-kind.ts'
import { type LabelSearch, listLabels, readLabelsOfArticle } from '../../core/server/label-names.ts'
import { readContent } from './content-report.ts'
import { type ContentArguments, parseContentRequest } from './content-request.ts'
import { withKinds } from './earlier-labels.ts'
import { publisherParts } from './label-report.ts'

/**
 * Authors, sections and tags over real PostgreSQL and every statistics engine, against a second computation over the same
 * rows in plain TypeScript, and against the report by article.
 */
const FIRST_DAY = day('2025-11-20')
const DAYS = 100
const clock = fixedClock('2026-03-20T10:00:00+09:00')
const random = randomFrom(20260402)

const { database, drop } = await testDatabase()
afterAll(drop)
const fixture = await makeReportFixture(database)
const { publishers, organizationIds, permitOf, maySee } = fixture
const publisherIds = publishers.map(({ id }) => id)

/** Spellings of few names: full and half width, and white space around and inside of them. */
const AUTHORS = ['山田 花子', '山田　花子', ' 山田  花子 ', '鈴木一郎', 'ﾀﾅｶ', 'タナカ', 'Ａｂｅ Ｋ.', 'Abe K.']
const SECTIONS = ['', '', '国内', '経済', 'スポーツ', 'ｽﾎﾟｰﾂ', '株・為替 ']
const TAGS = ['AI', 'ＡＩ', '選挙', '天気', '"引用"', '\\']

interface Article extends LabelledArticle {
  /** Some figures arrive without the article itself. */
  readonly isDelivered: boolean
}
const some = (names: readonly string[], most: number) =>
  Array.from({ length: random.below(most + 1) }, () => random.pick(names))
const articles = Array.from(
  { length: 80 },
  (_, index): Article => ({
    id: BigInt(1000 + index),
    mediumId: random.pick(REPORT_MEDIA),
    publisherId: random.pick(publisherIds),
    author: some(AUTHORS, 3),
    section: [random.pick(SECTIONS)].filter(name => name !== ''),
    tag: some(TAGS, 4),
    isDelivered: random.chance(0.9),
  }),
)

const rows: FactRow[] = []
for (let index = 0; index < DAYS; index += 1) {
  for (const { id, mediumId, publisherId } of articles) {
    if (!random.chance(0.2)) continue
    const count = () => BigInt(random.below(50))
    rows.push({
      ...{ date: addDays(FIRST_DAY, index), medium_id: mediumId, publisher_id: publisherId, article_id: id },
      ...{ batch_no: 1n, impression: count(), click: count(), watch: count() },
      ads_revenue_micro_yen: BigInt(random.below(2 ** 30)) * 1_009n,
      publisher_revenue_micro_yen: BigInt(random.below(2 ** 30)) * 911n,
    })
  }
}

/** The rule of the specification written once more: full and half width and white space make no difference. */
const keyOf = (name: string) => name.normalize('NFKC').split(/\s+/).filter(Boolean).join(' ')
const byId = new Map(articles.map(article => [article.id, article]))
/** `publisher name` of what an article counts for; one nameless group for the rest. */
function groupsOf(kind: ArticleLabelKind, articleId: unknown): readonly string[] {
  const article = byId.get(articleId as bigint)!
  const keys = article.isDelivered ? article[kind].map(name => `${article.publisherId} ${keyOf(name)}`) : []
  return keys.length === 0 ? ['none'] : [...new Set(keys)]
}

interface Requested {
  readonly from: Day
  readonly to: Day
  readonly mediumIds: readonly string[] | undefined
  readonly publisherIds: readonly string[] | undefined
  readonly organizationIds: readonly string[] | undefined
}
const pick = (ids: readonly bigint[]) =>
  random.chance(0.6) ? undefined : [...new Set([String(random.pick(ids)), String(random.pick(ids))])]
function randomParam(): Requested {
  const [from, to] = [addDays(FIRST_DAY, random.below(DAYS)), addDays(FIRST_DAY, random.below(DAYS))].sort()
  return {
    from: from!,
    to: to!,
    mediumIds: pick(REPORT_MEDIA),
    publisherIds: pick(publisherIds),
    organizationIds: pick(organizationIds),
  }
}
const LABEL_PARAMS = { author: 'authorIds', section: 'sectionIds', tag: 'tagIds' } as const
const labelParam = (kind: ArticleLabelKind, ...ids: readonly bigint[]) => ({ [LABEL_PARAMS[kind]]: ids.map(String) })

const organizationOf = new Map(publishers.map(({ id, organizationId }) => [id, organizationId]))
const rowsOf = (person: ReportPerson, param: Requested, from: Day, to: Day) =>
  rows.filter(
    row =>
      row.date! >= from &&
      row.date! <= to &&
      maySee(person, row.medium_id, row.publisher_id) &&
      (param.mediumIds?.includes(String(row.medium_id)) ?? true) &&
      (param.publisherIds?.includes(String(row.publisher_id)) ?? true) &&
      (param.organizationIds?.includes(String(organizationOf.get(row.publisher_id as bigint))) ?? true),
  )

async function read(engine: StatsEngine, person: ReportPerson, args: ContentArguments) {
  const request = parseContentRequest(ARTICLES, args)
  if (!request.ok) throw new Error(JSON.stringify(request.refusals))
  const permit = permitOf(person, 'read:list', 'insight:article_stats.')
  // Sometimes publisher by publisher, as a large store is read.
  const publisherDayBatchSize = random.pick([undefined, 40])
  return readContent({ stats: engine.store, database, clock, publisherDayBatchSize }, request.value, permit)
}

/** Groups that articles have to carry, by kind: one of each kind's. */
type Carried = { readonly [Kind in ArticleLabelKind]?: readonly string[] }
const carries = (carried: Carried, articleId: unknown) =>
  ARTICLE_LABEL_KINDS.every(kind => groupsOf(kind, articleId).some(group => carried[kind]?.includes(group) ?? true))

describe.each(STATS_ENGINES)('%s', { timeout: 120_000 }, name => {
  const repeats = name === 'duckdb' ? sampleOr(10, 24) : 5
  let engine: StatsEngine
  /** `publisher key` by label id, and back. */
  const keys = new Map<bigint, string>()
  const ids = new Map<string, bigint>()
  const groupName = (id: bigint) => (id === 0n ? 'none' : keys.get(id)!)
  const idOf = (kind: ArticleLabelKind, group: string) => ids.get(`${kind} ${group}`) ?? 0n
  const randomCarried = (): Carried => {
    const of = (kind: ArticleLabelKind) => [...ids.keys()].filter(name => name.startsWith(kind))
    const some = (kind: ArticleLabelKind) =>
      Array.from({ length: 1 + random.below(6) }, () => random.pick(of(kind)).slice(kind.length + 1))
    return Object.fromEntries(
      ARTICLE_LABEL_KINDS.filter(() => random.chance(0.25)).map(kind => [kind, [...new Set(some(kind))]]),
    )
  }
  const idsOf = (carried: Carried) =>
    Object.assign(
      {},
      ...ARTICLE_LABEL_KINDS.map(kind => {
        const groups = carried[kind]
        return groups ? labelParam(kind, ...groups.map(group => idOf(kind, group))) : {}
      }),
    )
  beforeAll(async () => {
    engine = await openTestStats(name)
    await importFacts(engine.store, 1n, { article_day: rows })
    const delivered = articles.filter(article => article.isDelivered)
    await insertLabelledArticles({ database, stats: engine.store }, delivered)
    const labels = await database.inScope(SYSTEM, tx => tx.selectFrom('articleLabels').selectAll().execute())
    for (const { id, publisherId, kind, key } of labels) {
      keys.set(id, `${publisherId} ${key}`)
      ids.set(`${kind} ${publisherId} ${key}`, id)
    }
  })
  afterAll(() => engine?.drop())

  test.each(ARTICLE_LABEL_KINDS)('by %s: equal to the second computation', async kind => {
    let filled = 0
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = randomParam()
      const carried = randomCarried()
      const orderBy = random.pick([
        ...(['IMPRESSION_DESC', 'IMPRESSION_ASC', 'REVENUE_DESC', 'CTR_ASC', 'ID_DESC', 'ID_ASC'] as const),
        ...(['CREATEDAT_ASC', 'UPDATEDAT_DESC'] as const),
      ])
      const compareWith = random.chance(0.5) ? random.pick(COMPARISONS) : undefined
      const page = { limit: random.pick([2, 1000]), offset: random.pick([0, 0, 3, 200]) }
      for (const person of ['staff', 'admin', 'editor'] as const) {
        const message = `${person} ${kind} ${JSON.stringify({ ...param, carried, orderBy, compareWith, ...page })}`
        const args = {
          ...page,
          orderBy,
          param: { ...param, ...idsOf(carried), groupBy: kind, granularity: 'daily' as const, compareWith },
        }
        const result = await read(engine, person, args)
        const columns = person === 'staff' ? [...ARTICLES.counts, 'ads_revenue_micro_yen'] : ARTICLES.counts
        const grouped = (own: readonly FactRow[]) =>
          Map.groupBy(
            own
              .filter(row => carries(carried, row.article_id))
              .flatMap(row => groupsOf(kind, row.article_id).map(group => ({ group, row })))
              .filter(({ group }) => carried[kind]?.includes(group) ?? true),
            each => each.group,
          )
        const own = rowsOf(person, param, param.from, param.to)
        const before =
          compareWith &&
          comparedDays(compareWith, param, [param.from, param.to], arrivedDays(fixture, person, param, rows))
        const isCompared = compareWith && isComparedRow(compareWith, param, arrivedRows(fixture, person, param, rows))
        const earlier =
          before && isCompared ? grouped(rowsOf(person, param, before.from, before.to).filter(isCompared)) : undefined
        const expected = [...grouped(own)].map(([group, each]) => {
          const past = earlier?.get(group)
          return {
            group,
            articles: BigInt(new Set(each.map(({ row }) => row.article_id)).size),
            sums: totals(
              each.map(({ row }) => row),
              columns,
            ),
            compared: past
              ? totals(
                  past.map(({ row }) => row),
                  columns,
                )
              : null,
            hasBeenFinalized: each.every(({ row }) =>
              CLOSED_MONTHS.has(`${row.medium_id} ${String(row.date).slice(0, 7)}`),
            ),
          }
        })
        const figure = ({ sums }: { sums: Readonly<Record<string, bigint>> }) => {
          if (orderBy.startsWith('CTR')) return sums.impression ? Number(sums.click) / Number(sums.impression) : null
          return Number(orderBy.startsWith('REVENUE') ? sums.publisher_revenue_micro_yen : sums.impression)
        }
        const sign = orderBy.endsWith('ASC') ? 1n : -1n
        expected.sort((a, b) => {
          const tie = Number((idOf(kind, a.group) - idOf(kind, b.group)) * sign)
          if (/^(ID|CREATEDAT|UPDATEDAT)/.test(orderBy)) return tie
          const [x, y] = [figure(a), figure(b)]
          if (x === null || y === null) return x === y ? tie : x === null ? 1 : -1
          return x === y ? tie : (x - y) * Number(sign)
        })
        expect(result.total, message).toBe(expected.length)
        expect(
          result.nodes.map(node => ({
            group: groupName(node.labelled!.label.id),
            articles: node.labelled!.articles,
            sums: node.sums,
            compared: node.compared?.sums ?? null,
            hasBeenFinalized: node.hasBeenFinalized,
          })),
          message,
        ).toEqual(expected.slice(page.offset, page.offset + page.limit))
        for (const { labelled, publisherId } of result.nodes) {
          expect(labelled?.label.id === 0n || labelled?.label.kind === kind, message).toBe(true)
          expect(labelled?.label.id === 0n || labelled?.label.name !== null, message).toBe(true)
          if (person !== 'staff' && publisherId !== null)
            expect(organizationOf.get(publisherId)).toBe(organizationIds[0])
        }
        filled += result.total > 0 ? 1 : 0
      }
    }
    expect(filled).toBeGreaterThan(repeats / 2)
  })
  test('the sections add up to the articles; each label is what its articles add up to', async () => {
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const param = { ...randomParam(), granularity: 'daily' as const }
      const all = { limit: 1000, offset: 0, orderBy: undefined }
      const person = random.pick(['staff', 'admin', 'editor'] as const)
      const bySection = await read(engine, person, { ...all, param: { ...param, groupBy: 'section' } })
      const byArticle = await read(engine, person, { ...all, param: { ...param, groupBy: 'item' } })
      for (const column of ARTICLES.counts) {
        const sum = bySection.nodes.reduce((total, node) => total + node.sums[column]!, 0n)
        expect(sum).toBe(byArticle.totals?.sums[column] ?? 0n)
        expect(sum).toBe(byArticle.nodes.reduce((total, node) => total + node.sums[column]!, 0n))
      }
      const kind = random.pick(ARTICLE_LABEL_KINDS)
      const byLabel = await read(engine, person, { ...all, param: { ...param, groupBy: kind } })
      for (const { labelled, sums } of byLabel.nodes.slice(0, 3)) {
        if (labelled!.label.id === 0n) continue
        const labels = labelParam(kind, labelled!.label.id)
        const [own, days] = [
          await read(engine, person, { ...all, param: { ...param, groupBy: 'item', ...labels } }),
          await read(engine, person, { ...all, param: { ...param, groupBy: 'date', ...labels } }),
        ]
        expect(BigInt(own.total)).toBe(labelled!.articles)
        expect(own.totals?.sums).toEqual(sums)
        expect(days.totals?.sums).toEqual(sums)
        // Authors of a section: the same articles once more.
        const within = await read(engine, person, { ...all, param: { ...param, groupBy: 'section', ...labels } })
        expect(within.nodes.reduce((total, node) => total + node.sums.impression!, 0n)).toBe(sums.impression)
      }
    }
  })

  test('a label whose kind is not named, as in views of earlier versions, is one of its kind', async () => {
    const view = articlesCondition.parse('labelId=7&labelId=9&from=2026-01-01')
    expect(articlesCondition.format(view)).toContain('labelId')
    const reader = database.reader(permitOf('staff', 'read:list', 'insight:article_stats.').scope)
    const all = await database.inScope(SYSTEM, tx => tx.selectFrom('articleLabels').select(['id', 'kind']).execute())
    const oneOf = (kind: ArticleLabelKind) => String(all.find(label => label.kind === kind)!.id)
    const [author, section, tag] = [oneOf('author'), oneOf('section'), oneOf('tag')]
    const read = await withKinds(reader, { sectionIds: ['77777'], labelIds: [tag, author, section] })
    expect(read).toEqual({
      ok: true,
      value: { authorIds: [author], sectionIds: ['77777', section], tagIds: [tag], labelIds: undefined },
    })
    const unknown = await withKinds(reader, { labelIds: ['999999'] })
    expect(unknown).toMatchObject({ ok: true, value: { authorIds: ['999999'] } })
    expect(await withKinds(reader, { labelIds: ['x'] })).toMatchObject({ ok: false })
    expect(await withKinds(reader, { authorIds: null })).toEqual({ ok: true, value: { authorIds: null } })
  })

  test('a label of others names nothing and lets nothing through', async () => {
    const foreign = publishers.find(({ organizationId }) => organizationId !== organizationIds[0])!
    const labels = await database.inScope(SYSTEM, tx =>
      tx.selectFrom('articleLabels').select(['id', 'kind']).where('publisherId', '=', foreign.id).execute(),
    )
    expect(labels.length).toBeGreaterThan(0)
    const param = { from: FIRST_DAY, to: addDays(FIRST_DAY, DAYS), granularity: 'daily' as const }
    for (const { id, kind } of labels) {
      const narrowed = { ...param, ...labelParam(kind as ArticleLabelKind, id), groupBy: 'item' as const }
      const args = { limit: 10, offset: 0, orderBy: undefined, param: narrowed }
      expect(await read(engine, 'admin', args)).toMatchObject({ total: 0, nodes: [], totals: null })
    }
    const article = articles.find(one => one.publisherId === foreign.id && one.isDelivered && one.author.length > 0)!
    const { scope } = permitOf('admin', 'read:list', 'insight:article_stats.')
    expect(await readLabelsOfArticle(database.reader(scope), article.id)).toEqual([])
  })

  test('labels are found by name and publisher, those of others never', async () => {
    const all = await database.inScope(SYSTEM, tx => tx.selectFrom('articleLabels').selectAll().execute())
    const own = publishers.filter(({ organizationId }) => organizationId === organizationIds[0]).map(({ id }) => id)
    const [mine, theirs] = [own[0]!, publisherIds.find(id => !own.includes(id))!]
    const list = async (
      person: ReportPerson,
      search: Partial<LabelSearch> & { kind: ArticleLabelKind },
      limit = 1000,
    ) => {
      const { scope } = permitOf(person, 'read:list', 'insight:article_stats.')
      const operations = { words: [], publisherIds: undefined, ids: undefined, ...search }
      return listLabels(database.reader(scope), operations, { limit, offset: 0 })
    }
    for (const kind of ARTICLE_LABEL_KINDS) {
      const ofKind = all.filter(label => label.kind === kind)
      expect((await list('staff', { kind })).total).toBe(ofKind.length)
      const { nodes, total } = await list('admin', { kind })
      expect(total).toBe(ofKind.filter(label => own.includes(label.publisherId)).length)
      expect(nodes.every(label => own.includes(label.publisherId!) && label.publisherName !== null)).toBe(true)
      expect((await list('admin', { kind, publisherIds: [theirs] })).total).toBe(0)
      const ofMine = await list('staff', { kind, publisherIds: [mine] })
      expect(ofMine.nodes.map(label => label.publisherId)).toEqual(ofMine.nodes.map(() => mine))
      expect((await list('staff', { kind }, 2)).nodes).toHaveLength(2)
    }
    // As typed with an input method: hiragana finds katakana, of either width.
    const { nodes } = await list('staff', { kind: 'section', words: searchWords('すぽーつ') })
    expect(new Set(nodes.map(({ name }) => keyOf(name!)))).toEqual(new Set(['スポーツ']))
  })

  test('an article shows its own spelling; a name of a group is the one that came first', async () => {
    const article = articles.find(one => one.isDelivered && one.author.length > 1 && one.tag.length > 0)!
    const { scope } = permitOf('staff', 'read:list', 'insight:article_stats.')
    const labels = await readLabelsOfArticle(database.reader(scope), article.id)
    expect(labels.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      ...article.author.map(name => `author ${name}`),
      ...article.section.map(name => `section ${name}`),
      ...article.tag.map(name => `tag ${name}`),
    ])
    expect(labels.map(({ id }) => keys.get(id))).toEqual(
      labels.map(({ name }) => `${article.publisherId} ${keyOf(name!)}`),
    )
  })
})

test('parts of the publishers have every id once', () => {
  const range = { from: FIRST_DAY, to: addDays(FIRST_DAY, 29) }
  const query = (ids: readonly bigint[] | undefined) => ({
    ...{ kind: ARTICLES, range, itemIds: undefined },
    scope: { entries: [{ mediumIds: undefined, publisherIds: ids }], mediumIds: undefined },
  })
  const sparse = Array.from({ length: 50 }, (_, index) => BigInt(index * index + 1))
  for (const [ids, last] of [
    [undefined, 2000n],
    [undefined, 3n],
    [undefined, 0n],
    [sparse, 0n],
    [[5n], 9n],
  ] as const) {
    const parts = publisherParts(query(ids), last, 100)
    expect(parts[0]?.from).toBeUndefined()
    expect(parts.at(-1)?.to).toBeUndefined()
    parts.slice(1).forEach(({ from }, index) => {
      expect(from).toBe(parts[index]!.to! + 1n)
    })
    expect(parts.every(({ from = 0n, to = from }) => from <= to)).toBe(true)
  }
  expect(publisherParts(query(undefined), 2000n, 100)).toHaveLength(64)
  expect(publisherParts(query(sparse), 0n, 500)).toHaveLength(4)
  expect(publisherParts(query([5n]), 9n, 60_000)).toEqual([{}])
})
