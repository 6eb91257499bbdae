import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { readKey } from './secrets/keyring.ts'
import { START_DEFAULTS } from './start-checks.mjs'

// Every setting of the system, read once from the environment. A setting that is not here does not exist.
// `docs/configuration.md` is generated from these descriptions.

const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback)
const optionalUrl = z.url().optional()
const switchOn = z.enum(['on', 'off']).default('on')
/** The target of a sidebar link: a path of ours or an http(s) address. Other schemes (`javascript:`) are refused. */
const documentAddress = (fallback: string) =>
  z
    .string()
    .regex(/^(\/(?![/\\])|https?:\/\/)/)
    .default(fallback)

/** The services of the platform, in the order of the launcher. */
const SERVICE_PATHS = ['/iam/', '/gpc/', '/coupon/', '/video-manager/', '/article-manager/']

const settings = z.object({
  HOST: z.string().min(1).default(START_DEFAULTS.HOST).describe('Address that every listener binds to.'),
  PORT: port(START_DEFAULTS.PORT).describe('Port of the web listener: the applications and the sign-in screens.'),
  INSIGHT_API_PORT: port(START_DEFAULTS.INSIGHT_API_PORT).describe('Port of the insight API.'),
  IAM_API_PORT: port(START_DEFAULTS.IAM_API_PORT).describe('Port of the identity and access API.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default(START_DEFAULTS.DATA_DIR)
    .describe('Folder of everything that the embedded parts store.'),
  WEB_ORIGIN: optionalUrl.describe(
    'Public origin of the applications. Default: http://HOST:PORT, with localhost for ::1, 0.0.0.0 and ::.',
  ),
  INSIGHT_API_ORIGIN: optionalUrl.describe('Public origin of the insight API. Default: http://HOST:INSIGHT_API_PORT.'),
  IAM_API_ORIGIN: optionalUrl.describe('Public origin of the IAM API. Default: http://HOST:IAM_API_PORT.'),
  DATABASE_URL: z.string().startsWith('postgres').optional().describe('PostgreSQL server. Default: an embedded one.'),
  CLICKHOUSE_URL: optionalUrl.describe('ClickHouse server for the statistics. Default: DuckDB in the process.'),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional()
    .describe(
      'Cluster in remote_servers of the server of CLICKHOUSE_URL, over which the statistics are replicated and spread. Default: one server.',
    ),
  OBJECTS_URL: z
    .url({ protocol: /^https?$/ })
    .regex(/^https?:\/\/[^/:@]+:[^/@]+@[^/]+\/[a-z0-9.-]+\/?(\?.*)?$/)
    .optional()
    .describe(
      'S3-compatible bucket, https://KEY:SECRET@host/bucket?region=ap-northeast-1: kept deliveries, pictures, contracts and the anchors of the audit log. Default: folders in DATA_DIR.',
    ),
  CLAMD_ADDRESS: z
    .string()
    .regex(/^(\/.+|[\w.-]+:\d{1,5})$/)
    .optional()
    .describe(
      'ClamAV daemon that looks at every file that people send in: host:port, or the path of its Unix socket. What it finds is refused, everything is while it does not answer. Default: no scanner.',
    ),
  SECRETS_KEY: z
    .string()
    .refine(
      text => text.split(',').every(key => readKey(key.trim()) !== undefined),
      'Expected 32 bytes as base64 or hex',
    )
    .optional()
    .describe(
      'Key that seals what has to be read again (keys of the issuer, seeds of one-time codes, secrets of webhooks): 32 random bytes as base64 or hex; to change it, the old one after a comma. Default: DATA_DIR/secrets.key; with DATABASE_URL and CLICKHOUSE_URL none: then the embedded issuer does not start, and webhooks wait.',
    ),
  BACKUP_PASSPHRASE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Passphrase of npm run backup and npm run restore, 12 characters or more; a --key-file comes before it. Default: backups are not encrypted.',
    ),
  OIDC_ISSUER: optionalUrl.describe('OpenID Connect provider. Default: the embedded one.'),
  STAGING_INSIGHT_API: optionalUrl.describe(
    'Insight API of a staging system, with or without /query, for npm run db -- import-staging.',
  ),
  STAGING_INSIGHT_TOKEN: z.string().min(1).optional().describe('ID token of that staging system.'),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .min(0)
    .max(8)
    .default(0)
    .describe('Reverse proxies in front whose X-Forwarded-For is believed. 0: none, the header counts nothing.'),
  OIDC_CLIENT_ID: z.string().min(1).default('console').describe('Client id, and the audience of the ID tokens.'),
  OIDC_STEP_UP_ACR: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/)
    .max(500)
    .optional()
    .describe(
      'Levels (`acr`, by spaces, the best one first) that the provider is asked for before money moves or somebody is let in; its ID token has to say one of them. Default: any.',
    ),
  PUBLISHER_CENTER_DEMO: switchOn.describe('`off`: start empty, with a link for the first administrator.'),
  MINIMUM_CLIENT_VERSION: z
    .string()
    .regex(/^\d+(\.\d+){0,3}$/)
    .optional()
    .describe('Oldest version of the applications that the APIs serve; older ones are told to reload. Default: all.'),
  GA4_MEASUREMENT_ID: z
    .string()
    .regex(/^G-[A-Z0-9]+$/)
    .optional()
    .describe('Sends page views to Google Analytics 4. Default: they are kept here.'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//)
    .optional()
    .describe('Mail server, smtp:// or smtps://, with user and password. Default: .eml files in DATA_DIR/outbox.'),
  MAIL_FROM: z.email().default('no-reply@localhost.localdomain').describe('Address that mails come from.'),
  SUPPORT_CONTACT: z
    .string()
    .regex(/^(https?:\/\/[^\s<>"]+|[^\s@<>"]+@[^\s@<>"]+)$/)
    .max(200)
    .optional()
    .describe(
      'Where users get help, a mail address or an http(s) address: at the foot of mails, of every screen and on the sign-in screens. Default: none.',
    ),
  STATUS_URL: z
    .url({ protocol: /^https?$/ })
    .max(200)
    .optional()
    .describe(
      'Page that tells of outages, on a host that does not go down with this one: at the foot of every screen and of the manual. Default: none.',
    ),
  FAQ_URL: documentAddress('/docs/faq.html').describe('What the sidebar links to: FAQ.'),
  FEED_SPECIFICATION_URL: documentAddress('/docs/feed-specification.html').describe(
    'What the sidebar links to: specification of the feeds that publishers deliver.',
  ),
  ADMIN_GUIDE_URL: documentAddress('/docs/admin-guide.pdf').describe(
    "What the sidebar links to: administrator's guide (PDF).",
  ),
  SERVICE_TERMS_URL: documentAddress('/docs/service-terms.html').describe(
    'What the sidebar links to: terms of the service linkage. The default is a template: put your own in its place.',
  ),
  CONTENT_GUIDELINES_URL: documentAddress('/docs/content-guidelines.html').describe(
    'What the sidebar links to: guidelines for contents.',
  ),
  LAUNCHER_SERVICES: z
    .string()
    .refine(text => text.split(',').every(path => SERVICE_PATHS.includes(path)))
    .default('/iam/,/gpc/')
    .describe(
      'Services that this installation has, for the launcher: /iam/ and /gpc/ are part of it; /coupon/, /video-manager/ and /article-manager/ are other systems of the platform, named where a proxy serves them under the same origin. Each is shown to people who may list it.',
    ),
  OPERATOR_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe(
      'Port of the listener with /metrics, for the operator only. Default: none; the control socket has it too.',
    ),
  OPERATOR_HOST: z
    .string()
    .min(1)
    .default(START_DEFAULTS.OPERATOR_HOST)
    .describe('Address that the operator listener binds to. It has no sign-in: keep it inside.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl.describe(
    'Collector of OpenTelemetry traces (OTLP over HTTP, JSON). Default: no traces.',
  ),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Least severe log level.'),
  STATS_MEMORY_LIMIT: z
    .string()
    .regex(/^\d+(MB|GB)$/)
    .default('384MB')
    .describe('Memory of the embedded statistics engine.'),
  STATS_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(2)
    .describe('Threads of the embedded statistics engine; a single report uses at most half of them.'),
})

export type Settings = z.infer<typeof settings>
/** Settings that hold secrets. For each, `NAME_FILE` may name a file that holds the value. */
export const SECRET_SETTINGS: readonly (keyof Settings)[] = [
  ...(['DATABASE_URL', 'CLICKHOUSE_URL', 'SMTP_URL', 'OBJECTS_URL', 'STAGING_INSIGHT_TOKEN', 'SECRETS_KEY'] as const),
  'BACKUP_PASSPHRASE',
]
const SETTING_DESCRIPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(settings.shape).map(([name, schema]) => [name, schema.description ?? '']),
)

export interface SettingDescription {
  readonly name: string
  readonly description: string
  /** The default value; undefined: the description says what happens without a value. */
  readonly fallback: string | undefined
  /** Allowed values in words; empty: any text. */
  readonly values: string
}

/** Every setting, in the order of `docs/configuration.md`. */
export function describeSettings(): readonly SettingDescription[] {
  return Object.entries(settings.shape).map(([name, schema]) => {
    const shape = z.toJSONSchema(schema) as {
      readonly default?: unknown
      readonly enum?: readonly unknown[]
      readonly type?: string
      readonly minimum?: number
      readonly maximum?: number
      readonly format?: string
    }
    const range = shape.type === 'integer' ? `${shape.minimum}–${shape.maximum}` : ''
    const kind = shape.format === 'uri' ? 'URL' : shape.format === 'email' ? 'e-mail address' : range
    return {
      name,
      description: schema.description ?? '',
      fallback: shape.default === undefined ? undefined : String(shape.default),
      values: shape.enum ? shape.enum.map(String).join(', ') : kind,
    }
  })
}

export interface Config {
  readonly host: string
  readonly webPort: number
  readonly insightApiPort: number
  readonly iamApiPort: number
  readonly webOrigin: string
  readonly insightApiOrigin: string
  readonly iamApiOrigin: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly clickhouseUrl: string | undefined
  /** Undefined: a single server, no cluster. */
  readonly clickhouseCluster: string | undefined
  readonly objectsUrl: string | undefined
  /** Undefined: files from people are not scanned. */
  readonly clamdAddress: string | undefined
  /** Newest first: it encrypts, all decrypt. Empty: the key file of the embedded system, or no encryption at rest. */
  readonly secretsKeys: readonly Buffer[]
  /** Undefined: a backup is encrypted only when the command names a key file. */
  readonly backupPassphrase: string | undefined
  readonly stagingInsightApi: string | undefined
  readonly stagingInsightToken: string | undefined
  /** The issuer of ID tokens; the embedded one is mounted at `/oidc` of the web listener. */
  readonly oidcIssuer: string
  readonly isOidcEmbedded: boolean
  readonly oidcClientId: string
  /** `acr` values that count as a step-up at an external issuer (one is enough); empty: any. */
  readonly oidcStepUpAcr: readonly string[]
  /** Number of our own reverse proxies that append to X-Forwarded-For. */
  readonly trustedProxies: number
  /** Whether the first start of an embedded database creates demonstration data. Always false with `DATABASE_URL`. */
  readonly makesDemoData: boolean
  readonly minimumClientVersion: string | undefined
  readonly ga4MeasurementId: string | undefined
  /** Undefined: mails are files in `dataDir`/outbox. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  /** Where users get help: a mail address or an http(s) address. */
  readonly supportContact: string | undefined
  readonly statusUrl: string | undefined
  /** Targets of the sidebar's document links: a path of the web origin or a whole URL. */
  readonly documents: {
    readonly faq: string
    readonly feedSpecification: string
    readonly adminGuide: string
    readonly serviceTerms: string
    readonly contentGuidelines: string
  }
  /** Paths of the services that the launcher offers. */
  readonly launcherServices: readonly string[]
  /** Undefined: the operator listener (metrics) is not opened. */
  readonly operatorPort: number | undefined
  readonly operatorHost: string
  readonly tracesEndpoint: string | undefined
  readonly logLevel: Settings['LOG_LEVEL']
  readonly statsMemoryLimit: string
  readonly statsThreads: number
}

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Secrets from files named by `NAME_FILE`, as Docker and Kubernetes mount them. */
function secretsOfFiles(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of SECRET_SETTINGS) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new ConfigError(`Wrong settings:\n  ${name} and ${name}_FILE are both set: choose one.`)
    try {
      found[name] = fs.readFileSync(file, 'utf8').trim()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new ConfigError(`Wrong settings:\n  ${name}_FILE=${file}: cannot be read (${code}).`)
    }
  }
  return found
}

/** Binds to every address of the machine. */
export const isWildcardHost = (host: string) => host === '0.0.0.0' || host === '::'

const IPV6_ADVICE =
  'Wrong settings:\n  Browsers accept no IPv6 address in a content security policy: with an IPv6 HOST other than ::1 set ' +
  'WEB_ORIGIN, INSIGHT_API_ORIGIN and IAM_API_ORIGIN, and name hosts instead of addresses there and in OIDC_ISSUER and OBJECTS_URL.'

/** The host in URLs that people type. `localhost` for a wildcard address, which no browser can open, and for `::1`. */
function hostNameOf(host: string): string {
  if (host === '::1' || isWildcardHost(host)) return 'localhost'
  const name = host.includes(':') ? `[${host}]` : host
  if (!URL.canParse(`http://${name}:1`))
    throw new ConfigError(`Wrong settings:\n  HOST=${JSON.stringify(host)}: neither an address nor a host name.`)
  return name
}

/** @throws ConfigError listing every wrong setting, one per line */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const all = { ...env, ...secretsOfFiles(env) }
  const given = Object.fromEntries(Object.keys(settings.shape).flatMap(key => (all[key] ? [[key, all[key]]] : [])))
  const parsed = settings.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map(issue => {
      const name = String(issue.path[0])
      // The value of a wrong secret is not printed, because the message ends up in logs.
      const isSecret = SECRET_SETTINGS.some(secret => secret === name)
      const value = isSecret ? '…' : JSON.stringify(all[name])
      return `  ${name}=${value}: ${issue.message}. ${SETTING_DESCRIPTIONS[name] ?? ''}`
    })
    throw new ConfigError(`Wrong settings:\n${lines.join('\n')}`)
  }
  const s = parsed.data
  if (s.CLICKHOUSE_CLUSTER !== undefined && s.CLICKHOUSE_URL === undefined)
    throw new ConfigError(
      'Wrong settings:\n  CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL: the address of a server of the cluster.',
    )
  const hostName = hostNameOf(s.HOST)
  const origin = (explicit: string | undefined, listenerPort: number) =>
    new URL(explicit ?? `http://${hostName}:${listenerPort}`).origin
  const apis = [s.INSIGHT_API_ORIGIN ?? `http://${hostName}`, s.IAM_API_ORIGIN ?? `http://${hostName}`]
  const unnameable = [...apis, s.OIDC_ISSUER ?? '', s.OBJECTS_URL ?? ''].find(url =>
    /^https?:\/\/([^/]*@)?\[/.test(url),
  )
  if (unnameable !== undefined) throw new ConfigError(IPV6_ADVICE)
  const webOrigin = origin(s.WEB_ORIGIN, s.PORT)
  return {
    host: s.HOST,
    webPort: s.PORT,
    insightApiPort: s.INSIGHT_API_PORT,
    iamApiPort: s.IAM_API_PORT,
    webOrigin,
    insightApiOrigin: origin(s.INSIGHT_API_ORIGIN, s.INSIGHT_API_PORT),
    iamApiOrigin: origin(s.IAM_API_ORIGIN, s.IAM_API_PORT),
    dataDir: path.resolve(s.DATA_DIR),
    databaseUrl: s.DATABASE_URL,
    clickhouseUrl: s.CLICKHOUSE_URL,
    clickhouseCluster: s.CLICKHOUSE_CLUSTER,
    objectsUrl: s.OBJECTS_URL,
    clamdAddress: s.CLAMD_ADDRESS,
    secretsKeys: s.SECRETS_KEY?.split(',').flatMap(key => readKey(key.trim()) ?? []) ?? [],
    backupPassphrase: s.BACKUP_PASSPHRASE,
    stagingInsightApi: s.STAGING_INSIGHT_API,
    stagingInsightToken: s.STAGING_INSIGHT_TOKEN,
    oidcIssuer: s.OIDC_ISSUER ?? `${webOrigin}/oidc`,
    isOidcEmbedded: s.OIDC_ISSUER === undefined,
    oidcClientId: s.OIDC_CLIENT_ID,
    oidcStepUpAcr: s.OIDC_STEP_UP_ACR?.split(' ') ?? [],
    trustedProxies: s.TRUSTED_PROXIES,
    makesDemoData: s.DATABASE_URL === undefined && s.PUBLISHER_CENTER_DEMO === 'on',
    minimumClientVersion: s.MINIMUM_CLIENT_VERSION,
    ga4MeasurementId: s.GA4_MEASUREMENT_ID,
    smtpUrl: s.SMTP_URL,
    mailFrom: s.MAIL_FROM,
    supportContact: s.SUPPORT_CONTACT,
    statusUrl: s.STATUS_URL,
    documents: {
      faq: s.FAQ_URL,
      feedSpecification: s.FEED_SPECIFICATION_URL,
      adminGuide: s.ADMIN_GUIDE_URL,
      serviceTerms: s.SERVICE_TERMS_URL,
      contentGuidelines: s.CONTENT_GUIDELINES_URL,
    },
    launcherServices: s.LAUNCHER_SERVICES.split(','),
    operatorPort: s.OPERATOR_PORT,
    operatorHost: s.OPERATOR_HOST,
    tracesEndpoint: s.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: s.LOG_LEVEL,
    statsMemoryLimit: s.STATS_MEMORY_LIMIT,
    statsThreads: s.STATS_THREADS,
  }
}
