import * as z from 'zod'

export class StagingError extends Error {
  override name = 'StagingError'
}

export interface StagingApi {
  /** Of the insight API, for example `https://insight.staging.example/query`. */
  readonly url: string
  /** An ID token of the staging system. */
  readonly token: string
}

const ROWS_PER_REQUEST = 500
const MAX_REQUESTS = 1_000
const TIMEOUT_MS = 30_000

const PUBLISHERS =
  'query P($limit: Int!, $offset: Int!) { list: publishers(limit: $limit, offset: $offset) { total nodes { id name } } }'
const FEEDS = `query F($limit: Int!, $offset: Int!) { list: feeds(limit: $limit, offset: $offset) { total nodes {
  id name url publisher { id } mediumId type enabled shortName siteUrl description logoUrl wideLogoUrl bannerUrl
  relatedLinkNum articleExpirationDays allowVideo allowContentBody ttlMinutes } } }`

const answer = z.object({
  data: z.object({ list: z.object({ total: z.int(), nodes: z.array(z.record(z.string(), z.unknown())) }) }),
})

/**
 * Publishers and feeds of another installation by its own insight API, in the form that an import file has. The address
 * is the operator's own, so it may lead inside. Terms stay there: they belong to agreements of that system.
 * @throws StagingError
 */
export async function fetchStaging(api: StagingApi): Promise<object> {
  const publishers = await allRows(api, PUBLISHERS)
  const feeds = await allRows(api, FEEDS)
  return {
    publishers,
    feeds: feeds.map(({ id, name, url, publisher, ...fields }) => ({
      id,
      name,
      url,
      publisherId: (publisher as { id?: unknown } | null)?.id,
      fields,
    })),
  }
}

async function allRows(api: StagingApi, query: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let request = 0; request < MAX_REQUESTS; request += 1) {
    const list = await ask(api, query, { limit: ROWS_PER_REQUEST, offset: rows.length })
    rows.push(...list.nodes)
    if (list.nodes.length === 0 || rows.length >= list.total) return rows
  }
  throw new StagingError('the staging system answers without end')
}

async function ask({ url, token }: StagingApi, query: string, variables: object) {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  }).catch(() => {
    throw new StagingError(`no answer from ${url}`)
  })
  const parsed = answer.safeParse(await response.json().catch(() => undefined))
  if (!parsed.success)
    throw new StagingError(`${url} answered ${response.status} without the lists: is the token still valid?`)
  return parsed.data.data.list
}
