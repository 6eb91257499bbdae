import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

/** A request to send; `raw` is written to a socket unchanged. */
export interface HostileRequest {
  readonly target: 'insight' | 'iam' | 'web'
  /** Kind of attack and field, by which findings are counted. */
  readonly kind: string
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly raw?: string
}

export interface Chance {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  chance(probability: number): boolean
}

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '%',
  '_',
  '\\',
  "'",
  '"',
  "' or 1=1 --",
  '$1',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'toString',
  '\ud800',
  '\u202e',
  '﷽',
  '👩‍👩‍👧‍👦',
  'ﾊﾝｶｸ',
  'Ａ１',
  'a'.repeat(5_000),
  '💴'.repeat(700),
  '../../etc/passwd',
  'javascript:alert(1)',
  '<img src=x onerror=1>',
  '=1+1',
  'NaN',
  'Infinity',
  'null',
  'true',
  '[]',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'not-a-uuid',
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '9999-12-31',
  '2026-11-20T00:00:00Z',
  '-1',
  '0',
  '1',
  '2',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '1e308',
  '0x10',
  '１２',
] as const
const HOSTILE_NUMBERS = [
  0, 1, -1, 2, 7, 100, 202_611, 202_613, 201_512, 999_912, 2_147_483_647, 2_147_483_648, -2_147_483_648, 1e15, 1.5, -0,
] as const
const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', 'application/x-www-form-urlencoded'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, gzip, deflate'],
  ['accept', 'text/html'],
  ['accept', '*/*;q=0'],
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer a.b.c'],
  ['authorization', `Bearer ${'x'.repeat(8_000)}`],
  ['authorization', 'Basic YTpi'],
  ['x-client-version', '99999999999999999999.0'],
  ['x-client-version', '__proto__'],
  ['x-forwarded-for', '::1, 127.0.0.1, '],
  ['x-forwarded-host', 'evil.example'],
  ['origin', 'null'],
  ['traceparent', '00-00000000000000000000000000000000-0000000000000000-00'],
  ['range', 'bytes=0-0,1-1'],
  ['if-none-match', '*'],
  ['expect', '100-continue'],
  ['cookie', `__Host-session=${'y'.repeat(3_000)}`],
]
const PATHS = [
  '/query',
  '/query/',
  '//query',
  '/query?query={__typename}',
  '/exports/report',
  '/agreement-documents',
  '/documents/00000000-0000-7000-8000-000000000001.pdf?size=1&expires=9999999999&signature=x',
  '/gpc/',
  '/gpc/assets/../../../etc/passwd',
  '/gpc/%2e%2e/%2e%2e/package.json',
  '/gpc/config.json',
  '/iam/',
  '/sso',
  '/sso/api/sign-in',
  '/sso/api/session',
  '/sso/api/__proto__',
  '/sso/api/passkey/options',
  '/oidc/auth',
  '/oidc/auth?client_id=console&response_type=token',
  '/oidc/token',
  '/oidc/token/revocation',
  '/oidc/me',
  '/oidc/session/end',
  '/oidc/jwks',
  '/oidc/.well-known/openid-configuration',
  '/ingest/v1/article-daily',
  '/ingest/v1/__proto__',
  '/analytics/page-views',
  '/objects/x',
  '/uploads/%00',
  '/%',
  '/%ff%fe',
  '/docs/%2e%2e/%2e%2e/package.json',
  `/${'a'.repeat(4_000)}`,
  '/healthz',
  '/metrics',
] as const
const RAW = [
  'GET / HTTP/1.1\r\n\r\n',
  'GARBAGE\r\n\r\n',
  'POST /query HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /query HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'GET http://evil.example/query HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /gpc/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET /gpc/ HTTP/1.1\r\nHost: \r\nAccept: text/html\r\n\r\n',
  `GET /gpc/ HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  'GET /gpc/ HTTP/9.9\r\nHost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
] as const

type Container = Record<string | number, unknown>
const MARK = 'the odd value'

/** Every place in a value that holds a value, as container and key. */
function placesOf(value: unknown): (readonly [Container, string | number])[] {
  if (typeof value !== 'object' || value === null) return []
  const container = value as Container
  return Object.keys(container).flatMap(key => [[container, key] as const, ...placesOf(container[key])])
}

/**
 * Generates hostile requests: malformed ones, and valid ones with unusual values. Repeatable with the same `Chance`.
 */
export class HostileRequests {
  readonly #random: Chance
  readonly #schemas: Readonly<Record<'insight' | 'iam', GraphQLSchema>>
  readonly #tokens: () => readonly string[]
  /** Existing ids, so that not every request ends with "not found". */
  readonly #ids: readonly string[]

  constructor(
    random: Chance,
    schemas: Readonly<Record<'insight' | 'iam', GraphQLSchema>>,
    ids: readonly string[],
    tokens: () => readonly string[],
  ) {
    this.#random = random
    this.#schemas = schemas
    this.#ids = ids
    this.#tokens = tokens
  }

  next(): HostileRequest {
    const dice = this.#random.below(100)
    if (dice < 60) return this.#operation()
    if (dice < 70) return this.#oddShape()
    if (dice < 82) return this.#brokenDocument()
    if (dice < 90) return this.#oddBody()
    if (dice < 98) return this.#oddHttp()
    return { target: this.#random.pick(['insight', 'iam', 'web']), kind: 'raw', raw: this.#random.pick(RAW) }
  }

  #headers(): Record<string, string> {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (this.#random.chance(0.95)) headers.authorization = `Bearer ${this.#random.pick(this.#tokens())}`
    if (this.#random.chance(0.05)) Object.assign(headers, Object.fromEntries([this.#random.pick(ODD_HEADERS)]))
    return headers
  }

  /** A root field with all of its arguments as variables. */
  #operation(): HostileRequest {
    const { target, kind, query, variables } = this.#document()
    const body = JSON.stringify({ query, variables })
    return { target, kind, method: 'POST', path: '/query', headers: this.#headers(), body }
  }

  /** The same with one value nested, lengthened or repeated, as a variable or as a literal in the document. */
  #oddShape(): HostileRequest {
    const { target, kind, query, variables } = this.#document()
    const random = this.#random
    const names = Object.keys(variables)
    const depth = random.pick([2, 31, 33, 900, 5_000, 100_000])
    const length = random.pick([2, 50, 999, 1_001, 5_000, 10_001])
    const name = names.length > 0 ? random.pick(names) : 'x'
    const places = placesOf(variables)
    const [holder, key] = places.length > 0 ? random.pick(places) : [variables as Container, name]
    const value = JSON.stringify(holder[key] ?? null)
    const nest = random.pick<(depth: number) => string>([
      n => '['.repeat(n) + value + ']'.repeat(n),
      n => `{"${name}":`.repeat(n) + value + '}'.repeat(n),
      n => '['.repeat(n),
    ])
    const repeated = () => `[${Array(length).fill(value).join(',')}]`
    const distinct = () => `[${Array.from({ length }, (_, n) => `"${n + 1}"`).join(',')}]`
    const text = random.pick([() => nest(depth), repeated, distinct])()
    holder[key] = MARK
    const literal = random.pick([() => nest(Math.min(depth, 900)), () => `[${Array(Math.min(length, 999)).fill(1)}]`])()
    const body = random.pick([
      () => JSON.stringify({ query, variables }).replace(`"${MARK}"`, () => text),
      () => JSON.stringify({ query: query.replace(`: $${name}`, () => `: ${literal.replaceAll('"', '')}`), variables }),
      () => JSON.stringify({ query, variables: {}, extensions: MARK }).replace(`"${MARK}"`, () => text),
    ])()
    return { target, kind: `shape of ${kind}`, method: 'POST', path: '/query', headers: this.#headers(), body }
  }

  #document() {
    const target = this.#random.pick(['insight', 'insight', 'iam'] as const)
    const schema = this.#schemas[target]
    const isMutation = this.#random.chance(0.4)
    const root = isMutation ? schema.getMutationType() : schema.getQueryType()
    const fields = Object.values(root?.getFields() ?? {})
    const field = this.#random.pick(fields) as GraphQLField<unknown, unknown>
    const args = field.args.filter(arg => isNonNullType(arg.type) || this.#random.chance(0.6))
    const variables = Object.fromEntries(args.map(arg => [arg.name, this.#value(arg.name, arg.type, 0)]))
    const declared = args.map(arg => `$${arg.name}: ${arg.type}`).join(', ')
    const passed = args.map(arg => `${arg.name}: $${arg.name}`).join(', ')
    const selection = this.#selection(field.type, 0)
    const query = `${isMutation ? 'mutation' : 'query'} Q${declared && `(${declared})`} { ${field.name}${passed && `(${passed})`} ${selection} }`
    return { target, kind: field.name, query, variables }
  }

  #selection(type: GraphQLOutputType, depth: number): string {
    const named = getNamedType(type)
    if (!isObjectType(named)) return ''
    const inside = Object.values(named.getFields())
      .filter(field => !isObjectType(getNamedType(field.type)) || depth < 3)
      .filter(field => field.args.every(arg => !isNonNullType(arg.type)))
      .filter(() => this.#random.chance(0.6))
      .map(field => `${field.name} ${this.#selection(field.type, depth + 1)}`)
    return `{ __typename ${inside.join(' ')} }`
  }

  #value(name: string, type: GraphQLInputType, depth: number): unknown {
    const random = this.#random
    if (isNonNullType(type)) return random.chance(0.01) ? null : this.#value(name, type.ofType, depth)
    if (random.chance(0.015)) return random.pick([null, {}, [], true, ...HOSTILE_TEXTS, ...HOSTILE_NUMBERS])
    if (isListType(type)) {
      const length = random.pick([0, 1, 1, 1, 2, 3, 300])
      return Array.from({ length }, () => this.#value(name, type.ofType, depth + 1))
    }
    if (isEnumType(type)) return random.pick(type.getValues()).name
    if (isInputObjectType(type)) {
      if (depth > 6) return {}
      const fields = Object.values(type.getFields()).filter(each => isNonNullType(each.type) || random.chance(0.5))
      return Object.fromEntries(fields.map(each => [each.name, this.#value(each.name, each.type, depth + 1)]))
    }
    const scalar = getNamedType(type).name
    const isMostlySound = random.chance(0.8)
    if (scalar === 'Boolean') return random.chance(0.5)
    if (scalar === 'Int')
      return isMostlySound ? random.pick([0, 1, 2, 20, 202_610, 202_611]) : random.pick(HOSTILE_NUMBERS)
    if (scalar === 'Float') return random.pick(HOSTILE_NUMBERS)
    if (!isMostlySound) return random.pick(HOSTILE_TEXTS)
    if (scalar === 'Date') return random.pick(['2026-10-01', '2026-10-31', '2026-11-30', '2024-02-29'])
    if (scalar === 'ID' || scalar === 'Long' || /id$/i.test(name)) return random.pick(this.#ids)
    if (/email/i.test(name)) return `person${random.below(1_000)}@example.jp`
    return random.pick(HOSTILE_TEXTS)
  }

  /** A valid document with some bytes changed, cut, doubled or nested. */
  #brokenDocument(): HostileRequest {
    const { target, query, variables } = this.#document()
    const random = this.#random
    const at = random.below(query.length)
    const broken = random.pick([
      () => query.slice(0, at),
      () =>
        query.slice(0, at) +
        random.pick(['{', '}', '(', '$', '"', '"""', '@skip(if: 1)', '...F', '#', '\u0007']) +
        query.slice(at),
      () => query + query,
      () => `${'{a'.repeat(random.below(2_000))}`,
      () => `#${random.below(1_000_000)}\n${'#\n'.repeat(random.pick([1_999, 2_001, 15_000, 680_000]))}${query}`,
      () => query.padEnd(random.pick([31_999, 32_001, 1_000_000])),
      () => `{ ${Array.from({ length: 300 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
      () => `query Q { ...A } fragment A on Query { ...B } fragment B on Query { ...A }`,
      () => `query Q($a: Int = ${random.pick(HOSTILE_NUMBERS)}) { __typename @include(if: $a) }`,
      () => '{ __schema { types { fields { type { fields { type { name } } } } } } }',
      () => `subscription { ${random.pick(['a', '__typename'])} }`,
    ])()
    const body = JSON.stringify({ query: broken, variables, operationName: random.pick([undefined, 'Q', 'X', '']) })
    return { target, kind: 'document', method: 'POST', path: '/query', headers: this.#headers(), body }
  }

  /** A body that is not a JSON object with a query. */
  #oddBody(): HostileRequest {
    const random = this.#random
    const body = random.pick<() => string | Buffer>([
      () => '',
      () => '{',
      () => 'null',
      () => '[]',
      () => '"x"',
      () => '[{"query":"{__typename}"},{"query":"{__typename}"}]',
      () => '{"query":1}',
      () => '{"query":"{__typename}","variables":[]}',
      () => '{"query":"{__typename}","variables":{"__proto__":{"a":1}}}',
      () => '{"query":"{__typename}","extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
      () => '['.repeat(20_000),
      () => `{"query":"${'x'.repeat(100_000)}"}`,
      () => Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x80]),
      () => Buffer.from(Array.from({ length: 200 }, () => random.below(256))),
      () => `\ufeff{"query":"{__typename}"}`,
    ])()
    const path = random.pick(['/query', '/query', '/query', '/exports/report', '/agreement-documents'])
    return {
      target: random.pick(['insight', 'iam']),
      kind: 'body',
      method: 'POST',
      path,
      headers: this.#headers(),
      body,
    }
  }

  #oddHttp(): HostileRequest {
    const random = this.#random
    const method = random.pick(['GET', 'HEAD', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])
    const path = random.pick(PATHS)
    const headers = Object.fromEntries(Array.from({ length: random.below(4) }, () => random.pick(ODD_HEADERS)))
    const text = random.pick([
      '{"email":"a@example.jp","password":"x"}',
      `{"email":{"$ne":""},"password":["x"]}`,
      'grant_type=authorization_code&code=x&client_id=console',
      'date,medium_id\n=1,2\n',
      ...HOSTILE_TEXTS,
    ])
    const hasBody = !['GET', 'HEAD'].includes(method)
    return {
      target: random.pick(['web', 'web', 'web', 'insight', 'iam']),
      kind: `http ${path.slice(0, 30)}`,
      method,
      path,
      headers,
      ...(hasBody ? { body: text } : {}),
    }
  }
}
