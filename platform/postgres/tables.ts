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

interface AgreementBankAccounts {
  agreementId: bigint
  bankAccountId: bigint
  createdAt: Generated<Timestamp>
  id: Generated<bigint>
  usedFromMonth: number
}

interface AgreementPublisherRuleHistory {
  createdAt: Timestamp | null
  fixedRevenueYen: bigint | null
  isTargetForLiveSspAllocation: boolean | null
  isTargetForSspAllocation: boolean | null
  isTargetForVideoSspAllocation: boolean | null
  liveSspPaymentRate: number | null
  minimumRevenueYen: bigint | null
  paymentRate: number | null
  ruleId: bigint | null
  sspPaymentRate: number | null
  validFromMonth: number | null
  videoSspPaymentRate: number | null
}

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
  revision: Generated<number>
  sspPaymentRate: Generated<number>
  updatedAt: Generated<Timestamp>
  validFromMonth: Generated<number>
  videoSspPaymentRate: Generated<number>
}

interface AgreementPublisherRuleVersions {
  createdAt: Generated<Timestamp>
  fixedRevenueYen: bigint
  isTargetForLiveSspAllocation: boolean
  isTargetForSspAllocation: boolean
  isTargetForVideoSspAllocation: boolean
  liveSspPaymentRate: number
  minimumRevenueYen: bigint
  paymentRate: number
  ruleId: bigint
  sspPaymentRate: number
  validFromMonth: number
  videoSspPaymentRate: number
}

interface Agreements {
  acknowledgedLawRuleIds: Generated<string[]>
  code: string
  createdAt: Generated<Timestamp>
  feePaidBy: Generated<string>
  fixedRevenueYen: Generated<bigint>
  freelanceCoverage: Generated<string>
  id: Generated<bigint>
  invoiceRegistrationNumber: string | null
  isPaymentDisabled: Generated<boolean>
  isQualifiedInvoiceIssuer: Generated<boolean>
  isShiftAgreedInWriting: Generated<boolean>
  mediumId: bigint
  minimumRevenueType: Generated<string>
  minimumRevenueYen: Generated<bigint>
  name: string
  notes: string | null
  organizationId: bigint
  payeeKind: Generated<string>
  paymentTiming: Generated<string>
  payoutThresholdYen: bigint | null
  revision: Generated<number>
  searchText: Generated<string | null>
  smallSupplierCoverage: Generated<string>
  terminatedAt: Timestamp | null
  updatedAt: Generated<Timestamp>
  validFromMonth: Generated<number>
}

interface AgreementTermsHistory {
  agreementId: bigint | null
  createdAt: Timestamp | null
  feePaidBy: string | null
  fixedRevenueYen: bigint | null
  minimumRevenueType: string | null
  minimumRevenueYen: bigint | null
  paymentTiming: string | null
  payoutThresholdYen: bigint | null
  validFromMonth: number | null
}

interface AgreementTermsVersions {
  agreementId: bigint
  createdAt: Generated<Timestamp>
  feePaidBy: string
  fixedRevenueYen: bigint
  minimumRevenueType: string
  minimumRevenueYen: bigint
  paymentTiming: string
  payoutThresholdYen: bigint | null
  validFromMonth: number
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

interface BankAccounts {
  bankBranchId: bigint
  bankId: bigint
  createdAt: Generated<Timestamp>
  decidedAt: Timestamp | null
  decidedBy: string | null
  enabled: Generated<boolean>
  holder: string
  id: Generated<bigint>
  number: string
  organizationId: bigint
  rejectionReason: string | null
  requestedAt: Generated<Timestamp>
  requestedBy: string | null
  revision: Generated<number>
  state: Generated<string>
  typeName: string
  updatedAt: Generated<Timestamp>
}

interface BankBranches {
  bankId: bigint
  code: string
  hira: string
  id: Generated<bigint>
  isGone: Generated<boolean>
  kana: string
  name: string
  roma: string
  searchText: Generated<string | null>
}

interface BankMasterImports {
  importedAt: Generated<Timestamp>
  isOnly: Generated<boolean>
  version: string
}

interface Banks {
  code: string
  hira: string
  id: Generated<bigint>
  isGone: Generated<boolean>
  kana: string
  name: string
  roma: string
  searchText: Generated<string | null>
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
  kana: Generated<string>
  name: string
  searchText: Generated<string | null>
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
  kana: Generated<string>
  name: string
  notes: string | null
  organizationId: bigint
  revision: Generated<number>
  searchText: Generated<string | null>
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
  agreementBankAccounts: AgreementBankAccounts
  agreementPublisherRuleHistory: AgreementPublisherRuleHistory
  agreementPublisherRules: AgreementPublisherRules
  agreementPublisherRuleVersions: AgreementPublisherRuleVersions
  agreements: Agreements
  agreementTermsHistory: AgreementTermsHistory
  agreementTermsVersions: AgreementTermsVersions
  apiKeys: ApiKeys
  auditHead: AuditHead
  auditLog: AuditLog
  bankAccounts: BankAccounts
  bankBranches: BankBranches
  bankMasterImports: BankMasterImports
  banks: Banks
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
