import { randomUUID } from 'node:crypto'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import { viewerOf } from '@pc/features/access/server/impersonate.ts'
import { seedPolicies } from '@pc/features/access/server/policy-store.ts'
import { apiKeyAccess } from '@pc/features/api-keys/server/api-key-access.ts'
import type { ImportKind } from '@pc/features/imports/server/import-kind.ts'
import { type IngestContext, ingestContext } from '@pc/features/ingest/server/ingest-context.ts'
import { type IngestEndpoint, ingestEndpoint } from '@pc/features/ingest/server/ingest-endpoint.ts'
import {
  type RedoReport,
  redoUnfinishedImports,
} from '@pc/features/ingest/server/publishing/redo-unfinished-imports.ts'
import { uploadEndpoint } from '@pc/features/ingest/server/uploads/upload-endpoint.ts'
import { statisticsChanged } from '@pc/features/payments/month-close/server/late-figures.ts'
import { type PracticeSystem, readPracticeSystem } from '@pc/features/practice/server/practice-store.ts'
import { accountEmails } from '@pc/features/sign-in/server/account-emails.ts'
import { accountMail } from '@pc/features/sign-in/server/account-mail.ts'
import { type Identity, identity } from '@pc/features/sign-in/server/identity.ts'
import { prepareSecrets } from '@pc/features/sign-in/server/seal-secrets.ts'
import { openAnchors } from '@pc/platform/audit/anchor-store.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Config } from '@pc/platform/config.ts'
import type { Authenticate } from '@pc/platform/graphql/answer-query.ts'
import { clientAddress } from '@pc/platform/http/client-address.ts'
import type { Handler } from '@pc/platform/http/listener.ts'
import type { SafeFetch } from '@pc/platform/http/safe-fetch.ts'
import type { SafePost } from '@pc/platform/http/safe-post.ts'
import type { JobHandler } from '@pc/platform/jobs/job-kind.ts'
import { type Jobs, openJobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Log } from '@pc/platform/log.ts'
import { checkBucket, filesBesideBucket } from '@pc/platform/objects/check-bucket.ts'
import type { DocumentUploads } from '@pc/platform/objects/document-uploads.ts'
import type { ImageUploads } from '@pc/platform/objects/image-uploads.ts'
import { ObjectStoreError } from '@pc/platform/objects/object-store-error.ts'
import { type Database, SYSTEM } from '@pc/platform/postgres/database.ts'
import { isOneProcess, type Keyring, keyringOf } from '@pc/platform/secrets/keyring.ts'
import { NO_SECRETS_KEY, type SecretsAtRest } from '@pc/platform/secrets/secrets-at-rest.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'
import type { GraphQLSchema } from 'graphql'
import { iamSchema, insightSchema } from './graphs.ts'
import { importKinds as kindsOf } from './import-kinds.ts'
import { jobHandlers } from './job-handlers.ts'
import { type MoneyDependencies, moneyDependencies } from './money-dependencies.ts'
import type { Stores } from './open-stores.ts'
import { openOutsideWorld } from './outside-world.ts'
import { harmlessConfig, practiceHandlers } from './practice-mode.ts'

/** Everything that the listeners serve, wired by hand. */
export interface Dependencies {
  readonly config: Config
  /** The month that this practice system copies; undefined: the real system. */
  readonly practice: PracticeSystem | undefined
  readonly log: Log
  readonly clock: Clock
  readonly database: Database
  readonly stats: StatsStore
  readonly identity: Identity
  readonly jobs: Jobs
  readonly money: MoneyDependencies
  readonly importKinds: readonly ImportKind[]
  /** Undefined: no encryption key is configured. */
  readonly keyring: Keyring | undefined
  readonly imageUploads: ImageUploads
  readonly documentUploads: DocumentUploads
  /** Handlers of background jobs, for processes of the service `worker`. */
  readonly jobHandlers: readonly JobHandler[]
  /** `POST /ingest/v1/<dataset>`: with an API key over the network, without one over the control socket. */
  readonly ingest: {
    readonly context: IngestContext
    readonly forNetwork: IngestEndpoint
    readonly forOperator: IngestEndpoint
    /** The same for a signed-in person in the console. */
    readonly forPerson: Handler
  }
  readonly insightSchema: GraphQLSchema
  readonly iamSchema: GraphQLSchema
  /** The signed-in person by an Authorization header, with current roles; null when nobody is signed in. */
  readonly authenticate: (authorization: string | undefined) => Promise<Viewer | null>
  /** Like {@link authenticate}, and also accepts API keys. Only for queries of the insight API. */
  readonly authenticateReader: Authenticate
  readonly isReady: () => Promise<boolean>
  /** Saves the counted uses of API keys, stops jobs and maintenance, then closes the stores. */
  close(): Promise<void>
}

export interface Wiring {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly stores: Stores
  /** Whether this process has the stored deliveries and finishes interrupted imports. Default: yes. */
  readonly ownsDeliveries?: boolean | undefined
  /** Default: the public internet. */
  readonly safeFetch?: SafeFetch
  /** Default: the public internet. */
  readonly safePost?: SafePost
  /** Clock of the books; default: `clock`. Tests close future months with it while tokens live by real time. */
  readonly bookkeepingClock?: Clock
}

/** Wires all parts in the order of a start: leftovers of the last run, sign-in, outside world, money, served parts. */
export async function wireDependencies(wiring: Wiring): Promise<Dependencies> {
  const { stores, clock } = wiring
  const base = await openBase(wiring)
  const { config, practice, database, jobs } = base
  const keyring = keyringOf(config)
  const atRest = { keyring, isAlone: isOneProcess(config) }
  const context = openIngest(base)
  await finishLastRun({ ...base, atRest, context, ownsDeliveries: wiring.ownsDeliveries ?? true })
  const signIn = wireSignIn({ ...base, atRest })
  const access = wireAccess(base, signIn)
  const outside = await openOutsideWorld({ ...base, safeFetch: wiring.safeFetch, safePost: wiring.safePost })
  const mail = accountMail(database, jobs, !config.isOidcEmbedded)
  const money = moneyDependencies({
    ...base,
    clock: wiring.bookkeepingClock ?? clock,
    webOrigin: config.webOrigin,
    isPractice: practice !== undefined,
  })
  const importKinds = kindsOf({ clock, jobs, mail })
  const served = { ...base, importKinds, keyring, money, imageUploads: outside.imageUploads }
  const graphDependencies = {
    ...served,
    safeFetch: outside.safeFetch,
    documentUploads: outside.documentUploads,
    mail,
    anchors: openAnchors(config),
    webOrigin: config.webOrigin,
    insightApiOrigin: config.insightApiOrigin,
  }
  const handlers = jobHandlers({ ...base, ...outside, money, atRest, servesFeedsOf: outside.demoSites?.serves })
  return {
    ...served,
    documentUploads: outside.documentUploads,
    identity: signIn,
    jobHandlers: practiceHandlers(handlers, practice),
    ingest: ingestEndpoints(base, context, access.authenticate),
    insightSchema: insightSchema(graphDependencies),
    iamSchema: iamSchema(graphDependencies),
    authenticate: access.authenticate,
    authenticateReader: access.authenticateReader,
    isReady: () => answersInTime(database),
    async close() {
      await access.flush()
      await jobs.close()
      signIn.close()
      outside.demoSites?.close()
      await stores.close()
    },
  }
}

/** Parts that every later step needs. */
type Base = Pick<Dependencies, 'config' | 'practice' | 'log' | 'clock' | 'database' | 'stats' | 'jobs'>

async function openBase({ config: given, log, clock, stores }: Wiring): Promise<Base> {
  const { database, stats } = stores
  const practice = await readPracticeSystem(database)
  const config = harmlessConfig(given, practice)
  return { config, practice, log, clock, database, stats, jobs: openJobs({ url: stores.databaseUrl, log }) }
}

function openIngest({ config, log, clock, database, stats, jobs }: Base): IngestContext {
  return ingestContext(config, {
    database,
    stats,
    clock,
    statisticsChanged: (tx, months) => statisticsChanged(jobs, tx, months),
    reportFailure: (error, of) => log.error({ err: error, ...of }, 'a delivery cannot be published'),
  })
}

interface LastRun extends Base {
  readonly atRest: SecretsAtRest
  readonly context: IngestContext
  readonly ownsDeliveries: boolean
}

/**
 * Finishes interrupted imports, writes access policies, and encrypts secrets. Throws when the issuer's keys cannot be
 * decrypted.
 */
async function finishLastRun({
  config,
  log,
  clock,
  database,
  atRest,
  context,
  ownsDeliveries,
}: LastRun): Promise<void> {
  const [redone] = await Promise.all([
    ownsDeliveries ? redoUnfinishedImports(context).catch(whenBucketIsAway(log)) : undefined,
    seedPolicies(database),
    prepareSecrets({ database, clock, atRest }, config.isOidcEmbedded),
  ])
  if (redone) reportRedone(redone, log)
  // Not awaited: without the bucket everything but files works.
  if (config.objectsUrl !== undefined) void reportBucket(config.objectsUrl, config.dataDir, log)
  if (!atRest.keyring && config.isOidcEmbedded) log.warn({ part: 'secrets' }, NO_SECRETS_KEY)
}

function wireSignIn({
  config,
  log,
  clock,
  database,
  jobs,
  atRest,
}: Base & { readonly atRest: SecretsAtRest }): Identity {
  return identity({
    config,
    database,
    clock,
    atRest,
    emails: accountEmails(jobs),
    onFault: error => log.error({ err: error }, 'fault in sign-in'),
    onRefused: (why, subject, detail) =>
      log.warn(
        { part: 'sign-in', issuer: config.oidcIssuer, why, subject, detail },
        'an account of OIDC_ISSUER was refused',
      ),
  })
}

/** Authentication of a person by ID token or of a program by API key. `flush` saves the counted uses of keys. */
function wireAccess({ log, clock, database }: Base, signIn: Identity) {
  const authenticate = async (authorization: string | undefined): Promise<Viewer | null> => {
    const person = authorization === undefined ? undefined : await signIn.authenticate(authorization)
    return person ? viewerOf(database, person) : null
  }
  const onFault = (error: unknown) => log.error({ err: error }, 'the use of an API key was not counted')
  const apiKeys = apiKeyAccess({ database, clock, onFault })
  const authenticateReader: Authenticate = async (authorization, sourceAddress) => {
    // Undefined: no API key was sent; null: a key that is refused.
    const program = await apiKeys.viewerOf(authorization, sourceAddress)
    return program === undefined ? authenticate(authorization) : (program ?? 'refused-key')
  }
  return { authenticate, authenticateReader, flush: () => apiKeys.flush() }
}

function ingestEndpoints(
  { config, log }: Base,
  context: IngestContext,
  authenticate: Dependencies['authenticate'],
): Dependencies['ingest'] {
  const reportFault = (error: unknown): string => {
    const faultId = randomUUID()
    log.error({ err: error, faultId }, 'fault in ingest')
    return faultId
  }
  return {
    context,
    forNetwork: ingestEndpoint(context, { access: 'api-key', reportFault }),
    forOperator: ingestEndpoint(context, { access: 'control-socket', reportFault }),
    forPerson: uploadEndpoint({
      context,
      authenticate,
      reportFault,
      sourceAddress: request => clientAddress(request, config.trustedProxies),
    }),
  }
}

async function reportBucket(objectsUrl: string, dataDir: string, log: Log): Promise<void> {
  for (const problem of [filesBesideBucket(dataDir), await checkBucket(objectsUrl)])
    if (problem !== undefined) log.error({ part: 'objects' }, problem)
}

/** Logs a missing bucket and continues. The next delivery or start finishes the interrupted imports. */
function whenBucketIsAway(log: Log) {
  return (error: unknown): undefined => {
    if (!(error instanceof ObjectStoreError)) throw error
    log.error({ err: error }, 'unfinished imports wait for the bucket of OBJECTS_URL')
  }
}

/** Logs the interrupted imports that were finished, if any. */
function reportRedone(redone: RedoReport, log: Log): void {
  for (const { batchId, error } of redone.failed)
    log.error(
      { err: error, batchId },
      'an import cannot be brought to an end: its figures are missing or of an earlier revision',
    )
  const counts = {
    finished: redone.finished.length,
    abandoned: redone.abandoned.length,
    repaired: redone.repaired.length,
    unknown: redone.unknownBatchNos.length,
  }
  if (Object.values(counts).some(count => count > 0)) log.warn(counts, 'imports were brought to an end')
}

async function answersInTime(database: Database): Promise<boolean> {
  const ask = database.inScope(SYSTEM, tx => tx.selectNoFrom(eb => eb.lit(1).as('one')).execute(), {
    statementTimeoutMs: 2_000,
  })
  const silence = new Promise<false>(resolve => setTimeout(resolve, 3_000, false).unref())
  return Promise.race([ask.then(() => true), silence]).catch(() => false)
}
