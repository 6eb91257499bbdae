import * as z from 'zod'

export class StagingError extends Error {
  override name = 'StagingError'
}

export interface StagingApi {
  /** Address of the insight API, with or without `/query`. */
  readonly url: string
  /** An ID token of the staging system. */
  readonly token: string
}

const ROWS_PER_REQUEST = 500
/** Stops when the other system's total never ends. */
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
 * Reads publishers and feeds of another installation from its insight API, in the form of a staging import file. The
 * operator chooses the address, so it may be internal. Payment terms are not read: they belong to that system's agreements.
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
  throw new StagingError('ステージング環境の一覧が終わりません。取り込みを中止しました。')
}

async function ask({ url: given, token }: StagingApi, query: string, variables: object) {
  const url = queryAddress(given)
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  }).catch((error: unknown) => {
    throw new StagingError(connectionProblem(url, error), { cause: error })
  })
  const body: unknown = await response.json().catch(() => undefined)
  const parsed = answer.safeParse(body)
  if (!parsed.success) throw new StagingError(answerProblem(url, response, body))
  return parsed.data.data.list
}

function queryAddress(given: string): string {
  const url = new URL(given)
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/query$/, '')}/query`
  return url.href
}

const SETTING = 'STAGING_INSIGHT_API'

function connectionProblem(url: string, error: unknown): string {
  const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException }
  const code = cause?.code ?? name
  const { host } = new URL(url)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${host} というホストが見つかりません（DNS）。${SETTING} のホスト名と、このマシンの名前解決をご確認ください。`
  if (code === 'ECONNREFUSED')
    return `${host} に接続を拒否されました。ステージング環境が起動しているか、${SETTING} のポートが正しいかをご確認ください。`
  if (name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT|UNREACH/.test(code))
    return `${host} から応答がありません（${code}）。ネットワークとファイアウォールをご確認ください。`
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `${host} の証明書を確認できません（${code}）。社内の認証局であれば NODE_EXTRA_CA_CERTS に指定してください。`
  return `${url} に接続できません（${code}）。${SETTING} をご確認ください。`
}

const refusal = z.object({ errors: z.array(z.object({ message: z.string(), extensions: z.unknown() })).min(1) })

function answerProblem(url: string, response: Response, body: unknown): string {
  const errors = refusal.safeParse(body).data?.errors ?? []
  const codes = errors.map(({ extensions }) => (extensions as { code?: unknown } | null)?.code)
  const { status } = response
  if (status === 401 || codes.includes('UNAUTHENTICATED'))
    return `${url} にサインインできません（401）。STAGING_INSIGHT_TOKEN の有効期限が切れていないかをご確認ください。`
  if (status === 403 || codes.includes('FORBIDDEN'))
    return `${url} の閲覧が許可されていません（403）。STAGING_INSIGHT_TOKEN のユーザーの権限をご確認ください。`
  if (status >= 300 && status < 400)
    return `${url} は ${response.headers.get('location') ?? '別のURL'} に転送されます。${SETTING} に転送先を設定してください。`
  if (status === 404) return `${url} がありません（404）。${SETTING} に insight API のURLを設定してください。`
  if (errors[0]) return `${url} の応答にエラーがあります：${errors[0].message}`
  if (body === undefined)
    return `${url} の応答が JSON ではありません（${status}）。${SETTING} に insight API のURLを設定してください。`
  return `${url} の応答にパブリッシャーとフィードの一覧がありません（${status}）。ステージング環境のバージョンをご確認ください。`
}
