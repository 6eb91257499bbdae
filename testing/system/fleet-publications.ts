import type { Random } from '../statistics/stats-rows.ts'

/** Random deliveries over HTTP with the expected GraphQL answer after each, and the query for it. */

export interface FleetDelivery {
  readonly dataset: 'summary-daily' | 'article-daily'
  readonly batchId: string
  readonly replaces: string | undefined
  readonly csv: string
}

interface Fact {
  readonly dataset: FleetDelivery['dataset']
  readonly date: string
  readonly mediumId: number
  readonly clicks: number
}

const MEDIA = [1, 2, 3]
const RANGE = { from: '2026-08-01', to: '2026-10-31' }

/** One request that reads daily, monthly and per-medium figures of publishers and articles, from different tables. */
export const FLEET_QUERY = `query Q($days: SummaryStatsParam!, $months: SummaryStatsParam!, $articles: ArticleStatsParam!,
  ${MEDIA.map(id => `$days${id}: SummaryStatsParam!, $articles${id}: ArticleStatsParam!`).join(', ')}) {
  days: summaryStats(param: $days, limit: 100, offset: 0) { nodes { date articleClicks } totals { articleClicks } }
  months: summaryStats(param: $months, limit: 100, offset: 0) {
    nodes { date articleClicks clickDemographics { click } } totals { articleClicks } }
  articles: articleStats(param: $articles, limit: 100, offset: 0) { nodes { date click } totals { click } }
  ${MEDIA.map(
    id => `days${id}: summaryStats(param: $days${id}, limit: 1, offset: 0) { totals { articleClicks } }
      articles${id}: articleStats(param: $articles${id}, limit: 1, offset: 0) { totals { click } }`,
  ).join('\n')}
}`
export const FLEET_VARIABLES = {
  days: RANGE,
  months: { ...RANGE, granularity: 'monthly' },
  articles: { ...RANGE, granularity: 'monthly', groupBy: 'date' },
  ...Object.fromEntries(
    MEDIA.flatMap(id => [
      [`days${id}`, { ...RANGE, mediumIds: [String(id)] }],
      [`articles${id}`, { ...RANGE, granularity: 'monthly', groupBy: 'date', mediumIds: [String(id)] }],
    ]),
  ),
}

/** New deliveries, corrections, and corrections that withdraw days. A medium's day belongs to at most one delivery. */
export function fleetSequence(
  random: Random,
  length: number,
  publisherId: bigint,
): { readonly deliveries: readonly FleetDelivery[]; readonly states: readonly string[] } {
  const live = new Map<string, readonly Fact[]>()
  const deliveries: FleetDelivery[] = []
  const states = [stateOf([])]
  for (let no = 1; no <= length; no += 1) {
    const isChange = live.size > 3 && random.chance(0.45)
    const replaces = isChange ? random.pick([...live.keys()]) : undefined
    const old = replaces === undefined ? undefined : live.get(replaces)!
    if (replaces !== undefined) live.delete(replaces)
    const dataset = old?.[0]?.dataset ?? (random.chance(0.5) ? 'summary-daily' : 'article-daily')
    const taken = new Set([...live.values()].flat().map(fact => `${fact.dataset} ${fact.date} ${fact.mediumId}`))
    const facts = old && random.chance(0.4) && old.length > 1 ? old.slice(1) : factsOf(random, dataset, taken)
    const changed = facts.map(fact => ({ ...fact, clicks: 1 + random.below(1_000_000_000) }))
    const batchId = `fleet-${no}`
    deliveries.push({ dataset, batchId, replaces, csv: csvOf(dataset, changed, publisherId) })
    live.set(batchId, changed)
    states.push(stateOf([...live.values()].flat()))
  }
  return { deliveries, states }
}

function factsOf(random: Random, dataset: Fact['dataset'], taken: ReadonlySet<string>): Fact[] {
  const facts: Fact[] = []
  while (facts.length < 1 + random.below(4)) {
    const date = `2026-${['08', '09', '10'][random.below(3)]}-${String(1 + random.below(30)).padStart(2, '0')}`
    const mediumId = random.pick(MEDIA)
    const isTaken = taken.has(`${dataset} ${date} ${mediumId}`)
    if (isTaken || facts.some(fact => fact.date === date && fact.mediumId === mediumId)) continue
    facts.push({ dataset, date, mediumId, clicks: 0 })
  }
  return facts
}

function csvOf(dataset: Fact['dataset'], facts: readonly Fact[], publisherId: bigint): string {
  const [more, figures] =
    dataset === 'summary-daily'
      ? ['', 'article_impression,article_click,demographics']
      : ['article_id,', 'impression,click,demographics']
  const lines = facts.map(({ date, mediumId, clicks }) => {
    const article = dataset === 'summary-daily' ? '' : `${mediumId},`
    const cells = `"[{""genderId"":1,""ageId"":1,""click"":${clicks}}]"`
    return `${date},${mediumId},${publisherId},${article}${clicks},${clicks},${cells}`
  })
  return `date,medium_id,publisher_id,${more}${figures}\n${lines.join('\n')}\n`
}

function sums(facts: readonly Fact[], keyOf: (fact: Fact) => string): string[] {
  const groups = [...Map.groupBy(facts, keyOf)].map(([key, own]) => [
    key,
    own.reduce((sum, { clicks }) => sum + clicks, 0),
  ])
  return groups.map(([key, sum]) => `${key} ${sum}`).sort()
}

function stateOf(facts: readonly Fact[]): string {
  const days = facts.filter(fact => fact.dataset === 'summary-daily')
  const articles = facts.filter(fact => fact.dataset === 'article-daily')
  const month = ({ date }: Fact) => `${date.slice(0, 7)}-01`
  const total = (some: readonly Fact[]) => some.reduce((sum, { clicks }) => sum + clicks, 0)
  return JSON.stringify([
    [sums(days, fact => fact.date), total(days)],
    [sums(days, month), sums(days, month), total(days)],
    [sums(articles, month), total(articles)],
    ...MEDIA.map(id => [days, articles].map(some => total(some.filter(fact => fact.mediumId === id)))),
  ])
}

interface Node {
  readonly date: string
  readonly articleClicks?: string | number
  readonly click?: string | number
  readonly clickDemographics?: readonly { readonly click: string | number }[]
}
interface List {
  readonly nodes: readonly Node[]
  readonly totals: Omit<Node, 'date'> | null
}

/** The answer in the notation of `states`. */
export function stateAnswered(data: Readonly<Record<string, unknown>>): string {
  const list = (name: string) => data[name] as List
  const total = ({ totals }: List) => Number(totals?.articleClicks ?? totals?.click ?? 0)
  const lines = ({ nodes }: List, figure: (node: Node) => number) =>
    nodes.map(node => `${node.date} ${figure(node)}`).sort()
  const own = (node: Node) => Number(node.articleClicks ?? node.click)
  const byPerson = (node: Node) => node.clickDemographics!.reduce((sum, { click }) => sum + Number(click), 0)
  return JSON.stringify([
    [lines(list('days'), own), total(list('days'))],
    [lines(list('months'), own), lines(list('months'), byPerson), total(list('months'))],
    [lines(list('articles'), own), total(list('articles'))],
    ...MEDIA.map(id => [total(list(`days${id}`)), total(list(`articles${id}`))]),
  ])
}
