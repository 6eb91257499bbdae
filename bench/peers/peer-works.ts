import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { addDays } from '@pc/domain/month/day.ts'
import { ROOT } from '../../tools/source-tree.ts'
import type { BenchSize } from '../bench-size.ts'
import type { Unit } from './peer-slices.ts'

export interface PeerQuery {
  readonly document: string
  readonly variables: object
}

/** A period, for the first hundred articles or for the days of one publisher. */
export interface EngineQuery {
  readonly from: string
  readonly to: string
  readonly publisherId?: string
}

export interface PeerWork {
  readonly name: string
  readonly unit: Unit
  /** Target for the ratio ours / theirs. */
  readonly goal: number
  /** Requests of a slice for each requested run. */
  readonly perRun: number
  readonly connections: number
  /** Requests before the measurement, so that code is compiled and statements are prepared on every connection. */
  readonly warm: number
  /** Number of different requests that can be generated. */
  readonly different: number
  ours(n: number): PeerQuery
  /** The query of PostGraphile, or of plain DuckDB. */
  readonly theirs: (n: number) => PeerQuery | EngineQuery
}

const ONE_OF_OURS = 'id name kana enabled organizationId organization { id name } notes revision createdAt updatedAt'
const ONE_OF_THEIRS =
  'rowId name kana enabled organizationId organizationByOrganizationId { rowId name } notes revision createdAt updatedAt'
/** Days beyond a year in the shortest store. */
const DAYS_BEYOND = 60
const DASHBOARD_FIGURES = 'impressions clicks ctr watchCount publisherTotalRevenue rpm'
const FIGURES = 'impression click ctr watch publisherTotalRevenue rpm'
const ARTICLE = `articleId date days daysWithData isComplete hasBeenFinalized publisherId publisherName mediumId title url publishedAt createdAt ${FIGURES}`

/** The document of the publishers screen. */
const screenList = () => fs.readFileSync(path.join(ROOT, 'features/publishers/web/publishers.graphql'), 'utf8')

export function peerWorks(size: BenchSize): readonly PeerWork[] {
  const { publishers, to } = size
  const id = (n: number) => String(1 + ((n * 97) % publishers))
  const list = screenList()
  const one = {
    different: publishers,
    ours: (n: number) => ({
      document: `query Q($id: ID!) { publisher(id: $id) { ${ONE_OF_OURS} } }`,
      variables: { id: id(n) },
    }),
    theirs: (n: number) => ({
      document: `query Q($id: BigInt!) { publisherByRowId(rowId: $id) { ${ONE_OF_THEIRS} } }`,
      variables: { id: id(n) },
    }),
  }
  const hundred = {
    different: publishers - 100,
    ours: (n: number) => ({
      document: list,
      variables: { limit: 100, offset: n, orderBy: 'ID_ASC', param: {}, withRules: true, withRates: true },
    }),
    theirs: (n: number) => ({
      document: `query Q($offset: Int!) { allPublishers(first: 100, offset: $offset) { totalCount nodes {
        rowId name kana enabled organizationByOrganizationId { rowId name } updatedAt
        agreementPublisherRulesByPublisherId { nodes { rowId mediumId paymentRate } } } } }`,
      variables: { offset: n },
    }),
  }
  const change = {
    different: Number.POSITIVE_INFINITY, // another text each time
    ours: (n: number) => ({
      document: `mutation Q($publisher: PublisherInput!, $key: String!) {
        upsertPublisher(publisher: $publisher, idempotencyKey: $key) { id name revision } }`,
      variables: { publisher: { id: id(n), notes: `計測 ${randomUUID()}` }, key: randomUUID() },
    }),
    theirs: (n: number) => ({
      document: `mutation Q($id: BigInt!, $notes: String!) {
        updatePublisherByRowId(input: { rowId: $id, publisherPatch: { notes: $notes } }) { publisher { rowId name revision } } }`,
      variables: { id: id(n), notes: `計測 ${randomUUID()}` },
    }),
  }
  const series = {
    different: publishers / 2,
    ours: (n: number) => ({
      document: `query Q($param: ArticleStatsParam!) { articleStats(limit: 1000, offset: 0, orderBy: DATE_ASC, param: $param) {
        total totals { ${FIGURES} } nodes { date days daysWithData isComplete hasBeenFinalized ${FIGURES} } } }`,
      variables: { param: { groupBy: 'date', from: addDays(to, -364), to, publisherIds: [id(n)] } },
    }),
    theirs: (n: number) => ({
      document: `query Q($publisher: BigInt!, $since: Date!, $until: Date!) {
        benchPeerArticleSeries(publisher: $publisher, since: $since, until: $until, first: 1000) { nodes {
          date impression click watch publisherRevenueMicroYen } } }`,
      variables: { publisher: id(n), since: addDays(to, -364), until: to },
    }),
  }
  // Other publishers than before, whose answers may be cached.
  const others = (n: number) => n + publishers / 2
  const sameSeries = {
    different: publishers / 2,
    theirs: (n: number) => series.theirs(others(n)),
    ours: (n: number) => ({
      document: `query Q($param: ArticleStatsParam!) { articleStats(limit: 1000, offset: 0, orderBy: DATE_ASC, param: $param) {
        nodes { date impression click watch publisherTotalRevenue } } }`,
      variables: series.ours(others(n)).variables,
    }),
  }
  const dashboard = {
    different: publishers,
    ours: (n: number) => ({
      document: `query Q($param: SummaryStatsParam!) { summaryStats(limit: 1000, offset: 0, param: $param) {
        total totals { ${DASHBOARD_FIGURES} } nodes { date days daysWithData isComplete hasBeenFinalized ${DASHBOARD_FIGURES} } } }`,
      variables: { param: { from: addDays(to, -364), to, publisherIds: [id(n)] } },
    }),
    theirs: (n: number) => ({ from: addDays(to, -364), to, publisherId: id(n) }),
  }
  const topOf = (days: number) => {
    // Warm-up periods are a day shorter, so that their answers are not reused.
    const periodOf = (length: number, n: number) => ({ from: addDays(to, 1 - length - n), to: addDays(to, -n) })
    const period = (n: number) => (n < DAYS_BEYOND ? periodOf(days - 1, n) : periodOf(days, n - DAYS_BEYOND))
    return {
      name: `top 100 articles of ${days} days`,
      unit: 'time' as const,
      goal: 1.1,
      perRun: 1 / 5,
      connections: 1,
      warm: DAYS_BEYOND,
      different: 2 * DAYS_BEYOND,
      ours: (n: number) => ({
        document: `query Q($param: ArticleStatsParam!) { articleStats(limit: 100, offset: 0, param: $param) {
          total totals { ${FIGURES} } nodes { ${ARTICLE} } } }`,
        variables: { param: period(n) },
      }),
      theirs: period,
    }
  }
  const alone = { unit: 'time', perRun: 4, connections: 1, warm: 500 } as const
  const crowd = { unit: 'rate', perRun: 8, connections: 8, warm: 200 } as const
  return [
    { name: 'one record', goal: 1.2, ...alone, ...one },
    { name: 'list of 100 with total', goal: 0.8, ...alone, ...hundred },
    { name: 'update', goal: 2, ...alone, ...change },
    { name: 'one record, 8 connections', goal: 1, ...crowd, ...one },
    { name: 'list of 100, 8 connections', goal: 1, ...crowd, perRun: 2, ...hundred },
    { name: 'update, 8 connections', goal: 0.6, ...crowd, perRun: 4, ...change },
    { name: 'days of a year, one publisher', goal: 0.8, ...alone, perRun: 1, warm: 100, ...series },
    { name: 'days of a year, same columns', goal: 0.8, ...alone, perRun: 1, warm: 100, ...sameSeries },
    { name: 'dashboard of a year, one publisher', goal: 1.5, ...alone, perRun: 1, warm: 100, ...dashboard },
    topOf(30),
    topOf(365),
  ]
}
