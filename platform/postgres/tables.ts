// Made by `npm run db -- dump` from the migrated database. Do not edit.
// Committed, so that a fresh clone type-checks before any database ran; a check compares it with the migrations.

import type { Day } from '@pc/domain/month/day.ts'
import type { ColumnType } from 'kysely'

type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

type Json = JsonValue

type JsonArray = JsonValue[]

type JsonObject = {
  [x: string]: JsonValue | undefined
}

type JsonPrimitive = boolean | number | string | null

type JsonValue = JsonArray | JsonObject | JsonPrimitive

type Timestamp = ColumnType<Date, Date | string, Date | string>

interface AgreementPublisherRules {
  agreementId: bigint
  createdAt: Generated<Timestamp>
  fixedRevenueYen: Generated<bigint>
  id: Generated<bigint>
  isTargetForLiveSspAllocation: Generated<boolean>
  isTargetForSspAllocation: Generated<boolean>
  isTargetForVideoSspAllocation: Generated<boolean>
  liveSspPaymentRate: Generated<number>
  mediumId: bigint
  minimumRevenueYen: Generated<bigint>
  paymentRate: number
  publisherId: bigint
  sspPaymentRate: Generated<number>
  updatedAt: Generated<Timestamp>
  videoSspPaymentRate: Generated<number>
}

interface Agreements {
  code: string
  createdAt: Generated<Timestamp>
  feePaidBy: Generated<string>
  fixedRevenueYen: Generated<bigint>
  id: Generated<bigint>
  isPaymentDisabled: Generated<boolean>
  mediumId: bigint
  minimumRevenueType: Generated<string>
  minimumRevenueYen: Generated<bigint>
  name: string
  notes: string | null
  organizationId: bigint
  paymentTiming: Generated<string>
  terminatedAt: Timestamp | null
  updatedAt: Generated<Timestamp>
}

interface ApiKeys {
  createdAt: Generated<Timestamp>
  id: Generated<bigint>
  lastUsedAt: Timestamp | null
  name: string
  revokedAt: Timestamp | null
  scopes: string[]
  secretSha256: string
}

interface AuditHead {
  hash: Buffer
  isOnly: Generated<boolean>
  seq: bigint
}

interface AuditLog {
  actingAsUid: string | null
  action: string
  actorUid: string | null
  after: Json | null
  at: Generated<Timestamp>
  before: Json | null
  hash: Generated<Buffer>
  previousHash: Generated<Buffer>
  requestId: string
  resourceName: string
  rowId: string
  seq: Generated<bigint>
  sourceAddress: string
}

interface Feeds {
  createdAt: Generated<Timestamp>
  description: Generated<string>
  enabled: Generated<boolean>
  id: Generated<bigint>
  logoUrl: Generated<string>
  mediumId: bigint
  name: string
  publisherId: bigint
  shortName: Generated<string>
  siteUrl: Generated<string>
  type: string
  updatedAt: Generated<Timestamp>
  url: string
}

interface IdempotencyKeys {
  answer: Json | null
  argumentsSha256: Buffer
  createdAt: Generated<Timestamp>
  key: string
  operation: string
  uid: string
}

interface IdpAccounts {
  passwordChangedAt: Generated<Timestamp>
  passwordHash: string
  uid: string
}

interface IdpAttempts {
  attemptedAt: Timestamp
  id: Generated<bigint>
  subject: string
}

interface IdpPayloads {
  accountId: Generated<string | null>
  consumedAt: Timestamp | null
  expiresAt: Timestamp | null
  grantId: string | null
  id: string
  model: string
  payload: Json
  sessionUid: string | null
  userCode: string | null
}

interface IdpSettings {
  key: string
  value: Json
}

interface IngestBatches {
  appliedAt: Timestamp | null
  batchId: string
  batchNo: Generated<bigint>
  contentSha256: string
  dataset: string
  factRows: Generated<bigint>
  firstDay: Day | null
  lastDay: Day | null
  receivedAt: Generated<Timestamp>
  replacesBatchNo: bigint | null
  revision: Generated<number>
  rowsQuarantined: Generated<bigint>
  rowsTotal: Generated<bigint>
  sourceName: Generated<string>
  state: string
}

interface IngestQuarantinedRows {
  batchNo: bigint
  columnName: string
  line: bigint
  reason: string
  rowNo: bigint | null
  sourceText: string
}

interface Media {
  id: bigint
  name: string
}

interface MediumArticles {
  articleId: bigint
  createdAt: Generated<Timestamp>
  enabled: Generated<boolean>
  feedId: bigint | null
  mediumArticleId: string
  mediumId: bigint
  publishedAt: Timestamp
  publisherId: bigint
  title: string
  url: string
}

interface MonthClosings {
  finalizedAt: Timestamp
  mediumId: bigint
  month: number
}

interface Organizations {
  createdAt: Generated<Timestamp>
  id: Generated<bigint>
  name: string
  updatedAt: Generated<Timestamp>
}

interface PageViews {
  id: Generated<bigint>
  path: string
  uid: string | null
  viewedAt: Generated<Timestamp>
}

interface Policies {
  actions: string[]
  conditionKey: string | null
  conditionValue: string | null
  id: Generated<bigint>
  resourceName: string
  roleName: string
}

interface Publishers {
  createdAt: Generated<Timestamp>
  enabled: Generated<boolean>
  id: Generated<bigint>
  name: string
  notes: string | null
  organizationId: bigint
  updatedAt: Generated<Timestamp>
}

interface Roles {
  name: string
}

interface UserAgreements {
  agreementId: bigint
  uid: string
}

interface UserRoles {
  roleName: string
  uid: string
}

interface Users {
  createdAt: Generated<Timestamp>
  email: string
  emailVerifiedAt: Timestamp | null
  enabled: Generated<boolean>
  oidcIssuer: string | null
  oidcSubject: string | null
  organizationId: bigint | null
  photoUrl: string | null
  sessionsValidFrom: Generated<Timestamp>
  uid: Generated<string>
  updatedAt: Generated<Timestamp>
}

interface Videos {
  createdAt: Generated<Timestamp>
  durationSeconds: number
  mediumId: bigint
  publishedAt: Timestamp
  publisherId: bigint
  thumbnailUrl: Generated<string>
  title: string
  url: string
  videoId: bigint
}

/** All tables and their columns, in camelCase. */
export interface Tables {
  agreementPublisherRules: AgreementPublisherRules
  agreements: Agreements
  apiKeys: ApiKeys
  auditHead: AuditHead
  auditLog: AuditLog
  feeds: Feeds
  idempotencyKeys: IdempotencyKeys
  idpAccounts: IdpAccounts
  idpAttempts: IdpAttempts
  idpPayloads: IdpPayloads
  idpSettings: IdpSettings
  ingestBatches: IngestBatches
  ingestQuarantinedRows: IngestQuarantinedRows
  media: Media
  mediumArticles: MediumArticles
  monthClosings: MonthClosings
  organizations: Organizations
  pageViews: PageViews
  policies: Policies
  publishers: Publishers
  roles: Roles
  userAgreements: UserAgreements
  userRoles: UserRoles
  users: Users
  videos: Videos
}
