// Made by `npm run db -- dump` from the migrated database. Do not edit.
// Committed, so that a fresh clone type-checks before any database ran; a check compares it with the migrations.

import type { Day } from '@pc/domain/month/day.ts'
import type { ColumnType } from 'kysely'

type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[] ? U[] : ArrayTypeImpl<T>

type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S[], I[], U[]> : T[]

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

interface AccountChanges {
  confirmedByUid: string | null
  email: string
  expiresAt: Timestamp
  id: Generated<bigint>
  kind: string
  newEmail: string | null
  newEmailConfirmedAt: Timestamp | null
  oldEmailConfirmedAt: Timestamp | null
  requestedAt: Generated<Timestamp>
  requestedByUid: string
  settledAt: Timestamp | null
  sourceAddress: string
  state: Generated<string>
  uid: string
}

interface AccountUndos {
  authenticators: Json
  changeId: bigint
  email: string
  keptAt: Generated<Timestamp>
  oidcIssuer: string | null
  oidcSubject: string | null
  passwordHash: string | null
  recoveryCodes: Json
}

interface AgreementBankAccounts {
  agreementId: bigint
  bankAccountId: bigint
  createdAt: Generated<Timestamp>
  id: Generated<bigint>
  usedFromMonth: number
}

interface AgreementDocuments {
  addedAt: Generated<Timestamp>
  addedBy: string | null
  agreementId: bigint
  fileName: string
  id: Generated<bigint>
  objectKey: string
  removedAt: Timestamp | null
  sha256: string
  sizeBytes: number
}

interface AgreementLawNotices {
  agreementId: bigint
  noticedAt: Timestamp
  ruleId: string
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

interface AgreementRenewalNotices {
  agreementId: bigint
  contractEndMonth: number
  noticedAt: Timestamp
}

interface Agreements {
  acknowledgedLawRuleIds: Generated<string[]>
  code: string
  contractEndMonth: number | null
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
  payeeResidence: Generated<string>
  paymentTiming: Generated<string>
  payoutThresholdYen: bigint | null
  renewalNoticeDays: number | null
  revision: Generated<number>
  searchText: Generated<string | null>
  smallSupplierCoverage: Generated<string>
  taxTreatmentConfirmedAt: Timestamp | null
  taxTreatmentConfirmedByUid: string | null
  terminatedAt: Timestamp | null
  treatyFormFrom: Day | null
  treatyFormRate: number | null
  treatyFormTo: Day | null
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

interface Annotations {
  createdAt: Generated<Timestamp>
  deletedAt: Timestamp | null
  endsOn: Day
  id: Generated<bigint>
  isByStaff: boolean
  mediumIds: Generated<ArrayType<bigint>>
  ownerUid: string
  publisherId: bigint | null
  revision: Generated<number>
  startsOn: Day
  text: string
  updatedAt: Generated<Timestamp>
  visibility: string
}

interface AnnouncementReads {
  announcementId: bigint
  readAt: Timestamp
  uid: string
}

interface Announcements {
  body: string
  closeButtonText: Generated<string>
  createdAt: Generated<Timestamp>
  enabled: Generated<boolean>
  endAt: Timestamp | null
  id: Generated<bigint>
  level: string
  revision: Generated<number>
  startAt: Timestamp
  title: string
  updatedAt: Generated<Timestamp>
}

interface AnnouncementTargets {
  announcementId: bigint
  kind: string
  mediumId: bigint | null
  organizationId: bigint | null
  roleName: string | null
}

interface AnswerTemplates {
  body: string
  id: Generated<bigint>
  name: string
  revision: Generated<number>
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

interface ArticleLabels {
  id: Generated<bigint>
  key: string
  kind: string
  mediumIds: Generated<ArrayType<bigint>>
  name: string
  publisherId: bigint
  searchText: Generated<string>
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
  searchText: Generated<string | null>
  state: Generated<string>
  typeName: string
  updatedAt: Generated<Timestamp>
  usableFrom: Day | null
}

interface BankAccountSwitches {
  agreementId: bigint
  bankAccountId: bigint
  createdAt: Generated<Timestamp>
  endedAt: Timestamp | null
  notifiedAt: Timestamp | null
  refusalCode: string | null
  state: Generated<string>
}

interface BankBranches {
  bankId: bigint
  code: string
  createdAt: Generated<Timestamp>
  hira: string
  id: Generated<bigint>
  isGone: Generated<boolean>
  kana: string
  name: string
  roma: string
  searchText: Generated<string | null>
  updatedAt: Generated<Timestamp>
}

interface BankMasterImports {
  importedAt: Generated<Timestamp>
  isOnly: Generated<boolean>
  version: string
}

interface Banks {
  code: string
  createdAt: Generated<Timestamp>
  hira: string
  id: Generated<bigint>
  isGone: Generated<boolean>
  kana: string
  name: string
  roma: string
  searchText: Generated<string | null>
  updatedAt: Generated<Timestamp>
}

interface Boards {
  createdAt: Generated<Timestamp>
  deletedAt: Timestamp | null
  id: Generated<bigint>
  isByStaff: boolean
  name: string
  organizationId: bigint | null
  ownerUid: string
  revision: Generated<number>
  sharedRoles: Generated<string[]>
  tiles: Generated<Json>
  updatedAt: Generated<Timestamp>
}

interface CloseAcknowledgements {
  acknowledgedAt: Timestamp
  acknowledgedByUid: string
  checkKind: string
  mediumId: bigint
  month: number
  reason: string
  subjectSha256: string
}

interface ConsumptionTaxRates {
  ratePercent: number
  validFromMonth: number
}

interface Demonstration {
  begunAt: Timestamp
  completedAt: Timestamp | null
  isOnly: Generated<boolean>
}

interface DividendLedgerLines {
  agreementId: bigint
  allocatedYen: bigint
  amountYen: bigint
  booking: number
  dividendId: bigint
  extraYen: Generated<bigint>
  id: Generated<bigint>
  kind: string
  line: number
  mediumId: bigint
  method: string
  month: number
  publisherId: bigint
  quotaYen: Generated<bigint>
  rateUnits: Generated<number>
  reversesDividendId: bigint | null
  weight: Generated<bigint>
}

interface DividendOperations {
  createdAt: Generated<Timestamp>
  finalizedAt: Timestamp | null
  hasBeenFinalized: Generated<boolean>
  id: Generated<bigint>
  month: number
}

interface DividendRows {
  agreementId: bigint
  amountYen: bigint | null
  dividendId: bigint
  line: number
  originMonth: number | null
  publisherId: bigint
  reason: string | null
  weight: bigint | null
}

interface Dividends {
  attempts: Generated<number>
  booking: Generated<number>
  bookingHash: string | null
  completedAt: Timestamp | null
  createdAt: Generated<Timestamp>
  dataVersion: string | null
  extraRevenueMonth: number
  extraRevenueYen: bigint
  failureCode: string | null
  failureText: string | null
  id: Generated<bigint>
  jobStatus: Generated<string>
  kind: string
  mediumId: bigint
  method: string
  month: number
  notes: Generated<string>
  operationId: bigint
  progress: Generated<number>
  reversedByDividendId: bigint | null
  startedAt: Timestamp | null
  userUid: string | null
  withdrawnAt: Timestamp | null
  withdrawnByUid: string | null
}

interface DividendWeights {
  agreementId: bigint
  dividendId: bigint
  publisherId: bigint
  weight: bigint
}

interface EventHours {
  appliedAt: Timestamp
  articleClick: bigint
  articleImpression: bigint
  articleWatch: bigint
  batchNo: bigint
  liveClick: bigint
  liveImpression: bigint
  liveWatch: bigint
  mediumId: bigint
  publisherId: bigint
  startsAt: Timestamp
  videoClick: bigint
  videoImpression: bigint
  videoWatch: bigint
}

interface FeedHealth {
  alertedAt: Timestamp | null
  checkedAt: Timestamp | null
  errorClass: string | null
  etag: string | null
  failingSince: Timestamp | null
  failures: Generated<number>
  feedId: bigint
  lastModified: string | null
  lastSuccessAt: Timestamp | null
  nextCheckAt: Timestamp
  state: string
  usualHundredths: number | null
  volumeDay: Day | null
  volumeItems: number | null
  watchedSince: Day | null
}

interface Feeds {
  allowContentBody: Generated<boolean>
  allowVideo: Generated<boolean>
  articleExpirationDays: Generated<number>
  availabilityForPromo: Generated<boolean>
  bannerUrl: Generated<string>
  createdAt: Generated<Timestamp>
  description: Generated<string>
  enabled: Generated<boolean>
  id: Generated<bigint>
  isDeleteFeed: Generated<boolean>
  isSafeForFirstview: Generated<boolean>
  legacyFeedId: string | null
  logoUrl: Generated<string>
  manuallyFeedScore: Generated<number>
  mediumId: bigint
  name: string
  notes: string | null
  publisherId: bigint
  relatedLinkNum: Generated<number>
  revision: Generated<number>
  searchText: Generated<string | null>
  shortName: Generated<string>
  siteUrl: Generated<string>
  stagingFeedId: string | null
  ttlMinutes: Generated<number>
  type: string
  updatedAt: Generated<Timestamp>
  url: string
  wideLogoUrl: Generated<string>
}

interface FeedSeenItems {
  day: Day
  feedId: bigint
  itemKey: Buffer
}

interface FigureAlertChecks {
  checkedUntil: Day
  mediumId: bigint
}

interface FigureAlerts {
  beganOn: Day
  direction: string
  endedOn: Day | null
  figure: string
  id: Generated<bigint>
  lastOn: Day
  mediumId: bigint
  publisherId: bigint
  usual: bigint
  value: bigint
}

interface HolidayImports {
  contentSha256: string
  firstYear: number
  id: Generated<bigint>
  importedAt: Generated<Timestamp>
  lastYear: number
  sourceName: string
}

interface Holidays {
  day: Day
  name: string
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

interface IdpAuthenticators {
  createdAt: Generated<Timestamp>
  credentialId: string | null
  id: Generated<bigint>
  kind: string
  label: string
  lastUsedAt: Timestamp | null
  publicKey: Buffer | null
  sealedTotpSecret: string | null
  signCount: bigint | null
  totpLastStep: bigint | null
  totpSecret: Buffer | null
  transports: string[] | null
  uid: string
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

interface IdpRecoveryCodes {
  codeSha256: string
  uid: string
  usedAt: Timestamp | null
}

interface IdpSessionUses {
  address: string
  device: string
  lastUsedAt: Timestamp
  provedAt: Timestamp | null
  sessionUid: string
  uid: string
}

interface IdpSettings {
  key: string
  value: Json
}

interface ImportRows {
  cells: Json
  changes: Json
  importId: bigint
  recordIds: Generated<Json>
  refusals: Json
  rowNumber: number
  state: string
}

interface Imports {
  changedCount: number
  confirmedAt: Timestamp | null
  confirmedByEmail: string | null
  fileName: string
  fileSha256: string
  id: Generated<bigint>
  kind: string
  newCount: number
  previewSha256: string
  refusedCount: number
  unchangedCount: number
  uploadedAt: Timestamp
  uploadedByEmail: string
  uploadedByUid: string
}

interface IngestBatches {
  apiKeyId: bigint | null
  appliedAt: Timestamp | null
  batchId: string
  batchNo: Generated<bigint>
  contentSha256: string
  dataset: string
  deliveredByUid: string | null
  factRows: Generated<bigint>
  firstDay: Day | null
  isUnsettled: Generated<boolean>
  lastDay: Day | null
  mediumIds: Generated<ArrayType<bigint>>
  movedRows: Generated<bigint>
  receivedAt: Generated<Timestamp>
  refusedBecause: Generated<string>
  refusedRows: Generated<bigint>
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

interface InputTaxDeductions {
  deductiblePercent: number
  validFromMonth: number
}

interface InvariantRuns {
  dataVersion: string | null
  id: Generated<bigint>
  mediumId: bigint
  month: number
  occasion: string
  ranAt: Timestamp
  violations: number
  violationsHash: string
}

interface InvariantViolations {
  detail: string
  invariant: string
  number: number
  rowName: string
  runId: bigint
}

interface Invitations {
  acceptedAt: Timestamp | null
  expiresAt: Timestamp
  invitedAt: Generated<Timestamp>
  invitedByUid: string | null
  secretSha256: string | null
  uid: string
}

interface InvoiceRegisterResults {
  checkedAt: Generated<Timestamp>
  endedOn: Day | null
  registeredOn: Day
  registrationNumber: string
  source: string
}

interface JournalAccounts {
  account: string
  department: Generated<string>
  name: string
  subAccount: Generated<string>
  validFromMonth: number
}

interface LateCorrections {
  createdAt: Generated<Timestamp>
  dataVersion: string
  dividendId: bigint
  mediumId: bigint
  originMonth: number
}

interface LegalHolds {
  fromMonth: number | null
  id: Generated<bigint>
  organizationId: bigint | null
  placedAt: Timestamp
  placedByEmail: string
  placedByUid: string
  reason: string
  releasedAt: Timestamp | null
  releasedByEmail: string | null
  releaseReason: string | null
  toMonth: number | null
}

interface Media {
  code: Generated<string>
  createdAt: Generated<Timestamp>
  displayOrder: Generated<number>
  id: bigint
  name: string
  retiredOn: Day | null
  revision: Generated<number>
  updatedAt: Generated<Timestamp>
}

interface MediumArticleRemovals {
  articleId: bigint
  id: Generated<bigint>
  publisherId: bigint
  reason: string
  removedAt: Timestamp
  removedBy: string
  restoredAt: Timestamp | null
  restoredBy: string | null
  undoUntil: Timestamp
}

interface MediumArticles {
  articleId: bigint
  authors: Generated<Json>
  batchNo: bigint | null
  createdAt: Generated<Timestamp>
  enabled: Generated<boolean>
  feedId: bigint | null
  mediumArticleId: string
  mediumId: bigint
  publishedAt: Timestamp
  publisherId: bigint
  section: Generated<string>
  tags: Generated<Json>
  title: string
  updatedAt: Generated<Timestamp>
  url: string
}

interface MonthCloseLog {
  action: string
  actorUid: string | null
  at: Timestamp
  detail: Generated<string>
  id: Generated<bigint>
  mediumId: bigint
  month: number
}

interface MonthClosings {
  finalizedAt: Timestamp
  mediumId: bigint
  month: number
}

interface MonthlyAdjustments {
  appliedYen: bigint
  dividendId: bigint
  line: number
  mediumId: bigint
  month: number
  monthlyPublisherPaymentId: bigint
}

interface MonthlyAgreementSnapshots {
  agreementCode: string
  agreementId: bigint
  agreementName: string
  hasBeenFinalized: Generated<boolean>
  id: Generated<bigint>
  invoiceRegistrationNumber: string | null
  mediumId: bigint
  month: number
  organizationId: bigint
  partnerName: string
  payeeKind: Generated<string>
  payeeResidence: Generated<string>
  qualifiedInvoiceIssuer: boolean
}

interface MonthlyCarriedBuckets {
  generatedMonth: number
  mediumId: bigint
  month: number
  monthlyPublisherPaymentId: bigint
  nextYen: bigint
  openYen: bigint
}

interface MonthlyEstimates {
  adsYen: bigint
  agreementId: bigint
  mediumId: bigint
  month: number
  monthlyPaymentId: bigint
  monthlyPublisherPaymentId: bigint
  organizationId: bigint
  poolYen: bigint
  shownMicroYen: bigint
}

interface MonthlyPaidBuckets {
  amountYen: bigint
  deductiblePercent: number
  deductibleTaxYen: bigint
  generatedMonth: number
  isQualified: boolean
  mediumId: bigint
  month: number
  monthlyPaymentId: bigint
  nonDeductibleTaxYen: bigint
  ratePercent: number
  taxYen: bigint
}

interface MonthlyPayments {
  adsRevenueYen: bigint
  agreementFixedYen: bigint
  agreementId: bigint
  agreementTopUpYen: bigint
  bankAccountId: bigint | null
  carriedOverRevenueYen: bigint
  carriedOverToNextYen: bigint
  createdAt: Generated<Timestamp>
  cumulativeRevenueYen: bigint
  dueOn: Day
  dueOnNominal: Day
  feePaidBy: string
  finalizedAt: Timestamp | null
  finalizedAtMonth: number | null
  fixedRevenueAppliedYen: bigint
  hasBeenFinalized: Generated<boolean>
  hasDiscardedPools: boolean
  hasDiscardedRows: boolean
  id: Generated<bigint>
  isActive: boolean
  isTerminated: boolean
  liveSspRevenueYen: bigint
  manualAdjustmentRevenueYen: bigint
  mediumId: bigint
  minimumTopUpRevenueYen: bigint
  month: number
  monthlyAgreementSnapshotId: bigint
  organizationId: bigint
  outcome: string
  paidAtMonth: number | null
  paidOn: Day | null
  paymentIncludingTaxYen: bigint
  paymentStatus: Generated<string>
  paymentTaxYen: bigint
  paymentYen: bigint
  payoutThresholdYen: bigint
  reasonCode: string | null
  reasonThresholdYen: bigint | null
  returnedReason: string | null
  revenueTaxYen: bigint
  revenueYen: bigint
  scheduledMonth: number | null
  sspRevenueYen: bigint
  taxRatePercent: number
  updatedAt: Generated<Timestamp>
  videoSspRevenueYen: bigint
}

interface MonthlyPools {
  allocatedYen: bigint
  bookedYen: bigint
  dividendId: bigint
  mediumId: bigint
  month: number
  poolYen: bigint
  retainedYen: bigint
  sharedYen: bigint
}

interface MonthlyPublisherPayments {
  adsRevenueYen: bigint
  agreementId: bigint
  carriedOverRevenueYen: bigint
  carriedOverToNextYen: bigint
  createdAt: Generated<Timestamp>
  cumulativeRevenueYen: bigint
  fixedOfAgreementYen: bigint
  fixedOfRuleYen: bigint
  fixedRevenueAppliedYen: bigint
  hasBeenFinalized: Generated<boolean>
  id: Generated<bigint>
  liveSspRevenueYen: bigint
  manualAdjustmentRevenueYen: bigint
  mediumId: bigint
  minimumTopUpRevenueYen: bigint
  month: number
  monthlyPaymentId: bigint
  organizationId: bigint
  paymentYen: bigint
  publisherId: bigint
  referenceTaxYen: bigint
  revenueYen: bigint
  ruleId: bigint
  sspRevenueYen: bigint
  topUpOfAgreementYen: bigint
  topUpOfRuleYen: bigint
  updatedAt: Generated<Timestamp>
  videoSspRevenueYen: bigint
}

interface MonthlyRuleSnapshots {
  agreementId: bigint
  hasBeenFinalized: Generated<boolean>
  isTargetForLiveSspAllocation: boolean
  isTargetForSspAllocation: boolean
  isTargetForVideoSspAllocation: boolean
  liveSspRateUnits: number
  mediumId: bigint
  month: number
  monthlyPublisherPaymentId: bigint
  organizationId: bigint
  ownAdsRateUnits: number
  sspRateUnits: number
  videoSspRateUnits: number
}

interface MonthlySnapshotInputs {
  hash: string | null
  input: string
  mediumId: bigint
  month: number
  snapshotId: bigint
}

interface MonthlyTaxLines {
  amountYen: bigint
  mediumId: bigint
  month: number
  monthlyPaymentId: bigint
  ratePercent: number
  taxYen: bigint
}

interface MonthStates {
  booksVersion: string | null
  computedAt: Timestamp | null
  computedByUid: string | null
  dataVersion: string | null
  finalizedAt: Timestamp | null
  finalizedByUid: string | null
  hash: string | null
  head: string | null
  headHash: string | null
  inputHash: string | null
  inputSeq: Generated<bigint>
  mediumId: bigint
  month: number
  paidAt: Timestamp | null
  previousHash: string | null
  state: Generated<string>
}

interface OpeningBalances {
  agreementId: bigint
  amountYen: bigint
  bookedMonth: number
  createdAt: Generated<Timestamp>
  id: Generated<bigint>
  isQualified: Generated<boolean>
  originMonth: number
  publisherId: bigint
  revision: Generated<number>
  updatedAt: Generated<Timestamp>
}

interface Organizations {
  address: Generated<string>
  createdAt: Generated<Timestamp>
  id: Generated<bigint>
  kana: Generated<string>
  name: string
  postalCode: Generated<string>
  revision: Generated<number>
  searchText: Generated<string | null>
  updatedAt: Generated<Timestamp>
}

interface PageViews {
  id: Generated<bigint>
  path: string
  title: string | null
  uid: string | null
  viewedAt: Generated<Timestamp>
}

interface PaymentSettingRevisions {
  revision: Generated<number>
  section: string
}

interface PaymentSettings {
  businessDayShift: string
  inputTaxTiming: Generated<string>
  liveSspWeight: Generated<string>
  needsTwoPersons: Generated<boolean>
  payoutThresholdYen: bigint
  returnFeeYen: Generated<bigint>
  sspWeight: Generated<string>
  taxPeriodStartMonth: Generated<number>
  updatedAt: Generated<Timestamp>
  validFromMonth: number
  videoSspWeight: Generated<string>
}

interface Policies {
  actions: string[]
  conditionKey: string | null
  conditionValue: string | null
  id: Generated<bigint>
  resourceName: string
  roleName: string
}

interface PracticeEntries {
  extraRevenueMonth: number
  extraRevenueYen: bigint
  kind: string
  mediumId: bigint
  method: string
  notes: string
  number: number
  rowsCsv: string
}

interface PracticePayments {
  agreementId: bigint
  dueOn: Day
  hasLateFigures: boolean
  mediumId: bigint
  partnerName: string
  paymentIncludingTaxYen: bigint
  paymentYen: bigint
}

interface PracticePublisherPayments {
  agreementId: bigint
  paymentYen: bigint
  publisherId: bigint
  revenueYen: bigint
}

interface PracticeSystem {
  copiedAt: Timestamp
  isOnly: Generated<boolean>
  month: number
}

interface Preferences {
  key: string
  uid: string
  updatedAt: Generated<Timestamp>
  value: Json
}

interface PublisherApiKeyPaces {
  fullAt: Timestamp
  keyId: bigint
}

interface PublisherApiKeys {
  allowedAddresses: Generated<string[]>
  createdAt: Timestamp
  createdByUid: string | null
  endNoticedAt: Timestamp | null
  expiresAt: Timestamp
  id: Generated<bigint>
  lastUsedAt: Timestamp | null
  lastUsedFrom: string | null
  name: string
  organizationId: bigint
  refusedAt: Timestamp | null
  refusedFrom: string | null
  requestCount: Generated<bigint>
  revokedAt: Timestamp | null
  scopes: string[]
  secretEnd: string
  secretSha256: Buffer
}

interface PublisherRevenueEstimates {
  adsMicroYen: bigint
  liveSspMicroYen: bigint
  mediumId: bigint
  month: number
  publisherId: bigint
  shownMicroYen: bigint
  sspMicroYen: bigint
  videoSspMicroYen: bigint
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

interface QuestionMessages {
  id: Generated<bigint>
  isByStaff: boolean
  isInternal: Generated<boolean>
  questionId: bigint
  text: string
  writerEmail: string
  writerUid: string
  writtenAt: Timestamp
}

interface QuestionReads {
  messageId: bigint
  questionId: bigint
  uid: string
}

interface Questions {
  agreementId: bigint | null
  amountColumn: string | null
  askedAt: Timestamp
  askerEmail: string
  askerScope: string
  askerUid: string
  assigneeUid: string | null
  context: Generated<string>
  figure: string | null
  fromDay: Day | null
  id: Generated<bigint>
  kind: string
  lastMessageAt: Timestamp
  mediumIds: Generated<ArrayType<bigint>>
  month: number | null
  monthlyPaymentId: bigint | null
  monthlyPublisherPaymentId: bigint | null
  nodePath: string | null
  organizationId: bigint
  publisherIds: Generated<ArrayType<bigint>>
  revision: Generated<number>
  searchText: Generated<string | null>
  state: Generated<string>
  stateChangedAt: Timestamp
  statementId: bigint | null
  subject: string
  toDay: Day | null
  toldMessageId: Generated<bigint>
  unit: string
  valueThen: string | null
}

interface ReportMailDeliveries {
  changedAt: Timestamp
  dueAt: Timestamp
  id: Generated<bigint>
  isTest: Generated<boolean>
  periodFrom: Day
  periodTo: Day
  reportMailId: bigint
  state: string
}

interface ReportMails {
  activeSince: Timestamp
  cadence: string
  compareWith: string
  condition: Generated<string>
  deletedAt: Timestamp | null
  hour: number
  id: Generated<bigint>
  isPaused: Generated<boolean>
  monthDay: Generated<string>
  name: string
  ranking: string
  revision: Generated<number>
  uid: string
}

interface RetentionRuns {
  deleted: bigint
  held: bigint
  id: Generated<bigint>
  keptSince: Day
  kind: string
  ranAt: Timestamp
}

interface RevenueEstimates {
  dataVersion: string
  mediumId: bigint
  month: number
  occasion: string
  recordedAt: Timestamp
}

interface Roles {
  name: string
  side: Generated<string>
}

interface SavedViews {
  columns: string[] | null
  condition: Generated<string>
  createdAt: Generated<Timestamp>
  deletedAt: Timestamp | null
  id: Generated<bigint>
  name: string
  revision: Generated<number>
  screen: string
  sharedWithRole: string | null
  uid: string
  updatedAt: Generated<Timestamp>
}

interface SecondFactorRule {
  graceDays: Generated<number>
  isOnly: Generated<boolean>
  isRequired: boolean
  requiredFrom: Generated<Timestamp>
  revision: Generated<number>
}

interface SentMails {
  id: Generated<bigint>
  senderUid: string
  sentAt: Generated<Timestamp>
}

interface SettlementRules {
  isProposed: Generated<boolean>
  updatedAt: Generated<Timestamp>
  validFromMonth: number
  version: string
}

interface StatementEventNotices {
  statementEventId: bigint
}

interface StatementEvents {
  actorEmail: string | null
  actorUid: string | null
  adjustmentMonth: number | null
  at: Timestamp
  event: string
  id: Generated<bigint>
  lines: Generated<Json>
  resolution: string | null
  sourceAddress: string | null
  statementHash: string
  statementId: bigint
  text: string | null
}

interface StatementNotices {
  notifiedAt: Timestamp
  statementId: bigint
}

interface Statements {
  agreementId: bigint
  confirmationMethod: string | null
  content: string
  deemedOn: Day
  dueOn: Day
  hash: string
  id: Generated<bigint>
  issuedAt: Timestamp
  issuedByUid: string | null
  issuedOn: Day
  mediumId: bigint
  month: number
  monthlyPaymentId: bigint
  number: string
  organizationId: bigint
  payeeName: string
  payeeSearchText: Generated<string | null>
  revision: Generated<number>
  revisionReason: string | null
  state: Generated<string>
  stateChangedAt: Timestamp
  templateVersion: number
  totalWithoutTaxYen: bigint
  totalYen: bigint
  transferAmountYen: bigint
}

interface StatementSettings {
  deemedConfirmationDays: number
  payerAddress: Generated<string>
  payerName: string
  payerRegistrationNumber: string
  revision: Generated<number>
  updatedAt: Generated<Timestamp>
  validFromMonth: number
}

interface StatsLedger {
  changeId: Generated<string>
  changeNo: Generated<bigint>
  onlyRow: Generated<boolean>
  publicationId: Generated<string>
  publicationNo: Generated<bigint>
}

interface StatsVersions {
  batchNo: bigint | null
  endedAt: Timestamp | null
  isPurged: Generated<boolean>
  month: number
  state: string
  tableName: string
  versionNo: bigint
  writer: string
}

interface TransferBatches {
  accountNumber: string | null
  accountType: string | null
  bankCode: string | null
  bankName: string | null
  branchCode: string | null
  branchName: string | null
  clientCode: string | null
  clientName: string | null
  createdAt: Timestamp
  createdByUid: string | null
  dueOn: Day
  exportedAt: Timestamp | null
  exportedByUid: string | null
  extraCharacters: Generated<string>
  fileSha256: string | null
  hasLineBreaks: Generated<boolean>
  id: Generated<bigint>
  kind: string
  notes: Generated<string>
  transferLimitYen: Generated<bigint>
  transferOn: Day
}

interface TransferFees {
  destination: string
  feeYen: bigint
  fromAmountYen: bigint
  sourceBankCode: string
  validFrom: Day
}

interface TransferPayments {
  feeBorneByPayeeYen: bigint
  isLive: Generated<boolean>
  monthlyPaymentId: bigint
  paymentIncludingTaxYen: bigint
  paymentYen: bigint
  transferAmountYen: bigint
  transferId: bigint
  withholdingYen: bigint
}

interface TransferRecalls {
  bankNotedAt: Timestamp | null
  bankNotedByUid: string | null
  bankReference: string | null
  decidedAt: Timestamp | null
  decidedByUid: string | null
  id: Generated<bigint>
  paidOn: Day | null
  purpose: Generated<string>
  reason: string
  requestedAt: Timestamp
  requestedByUid: string
  state: Generated<string>
  transferId: bigint
}

interface TransferRecords {
  amountYen: bigint
  batchId: bigint
  feeYen: bigint
  number: number
  paidOn: Day | null
  reason: string | null
  replaces: number | null
  returnedOn: Day | null
  settledBy: string | null
  state: Generated<string>
  transferId: bigint
  updatedAt: Timestamp
}

interface TransferResultImports {
  contentSha256: string
  fileName: string
  id: Generated<bigint>
  importedAt: Timestamp
  importedByUid: string | null
  paid: number
  returned: number
  unchanged: number
  unknown: number
}

interface TransferReturnFees {
  chargedOn: Day
  feeYen: bigint
  recordNumber: Generated<number>
  returnNumber: Generated<number>
  transferId: bigint
  updatedAt: Timestamp
}

interface Transfers {
  accountNumber: string
  accountType: string
  bankAccountId: bigint
  bankCode: string
  bankKana: string
  bankName: string
  batchId: bigint
  branchCode: string
  branchKana: string
  branchName: string
  dueOn: Day
  feeBorneByPayeeYen: bigint
  feePaidBy: string
  feeYen: bigint
  hasTreatyForm: Generated<boolean>
  holder: string
  id: Generated<bigint>
  nonResidentRate: number | null
  organizationId: bigint
  paidOn: Day | null
  partnerName: string
  payeeKind: string
  payeeResidence: Generated<string>
  paymentIncludingTaxYen: bigint
  paymentYen: bigint
  reason: string | null
  recordCount: Generated<number>
  returnedOn: Day | null
  settledBy: string | null
  state: Generated<string>
  transferAmountYen: bigint
  updatedAt: Timestamp
  withholdingYen: bigint
}

interface TransferSources {
  accountNumber: string
  accountType: string
  bankCode: string
  bankName: string
  branchCode: string
  branchName: string
  clientCode: string
  clientName: string
  extraCharacters: Generated<string>
  hasLineBreaks: Generated<boolean>
  resultMarkLength: number | null
  resultMarkOffset: number | null
  resultPaidMarks: string[] | null
  resultReturnedMarks: string[] | null
  transferLimitYen: Generated<bigint>
  updatedAt: Generated<Timestamp>
  validFromMonth: number
}

interface UserAgreements {
  agreementId: bigint
  uid: string
}

interface UserRoles {
  givenAt: Generated<Timestamp>
  givenByUid: string | null
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
  batchNo: bigint | null
  createdAt: Generated<Timestamp>
  durationSeconds: number
  mediumId: bigint
  publishedAt: Timestamp
  publisherId: bigint
  thumbnailUrl: Generated<string>
  title: string
  updatedAt: Generated<Timestamp>
  url: string
  videoId: bigint
}

interface ViewAsSessions {
  endedAt: Timestamp | null
  expiresAt: Timestamp
  id: Generated<bigint>
  reason: string
  sessionKey: string
  staffUid: string
  startedAt: Generated<Timestamp>
  targetUid: string
}

interface WebhookDeliveries {
  attempts: Generated<number>
  changedAt: Generated<Timestamp>
  eventId: bigint
  id: Generated<bigint>
  isByHand: Generated<boolean>
  lastProblem: string | null
  lastStatus: number | null
  state: Generated<string>
  webhookId: bigint
}

interface WebhookEvents {
  data: Json
  id: Generated<bigint>
  key: Generated<string>
  kind: string
  occurredAt: Generated<Timestamp>
  organizationId: bigint | null
}

interface Webhooks {
  createdAt: Timestamp
  createdByUid: string | null
  deletedAt: Timestamp | null
  events: string[]
  failingSince: Timestamp | null
  format: Generated<string>
  id: Generated<bigint>
  isGivenUp: Generated<boolean>
  isPaused: Generated<boolean>
  organizationId: bigint | null
  revision: Generated<number>
  sealedSecret: string | null
  secret: string | null
  url: string
}

interface WhatIfDrafts {
  change: Json
  createdAt: Generated<Timestamp>
  createdByUid: string | null
  id: Generated<bigint>
  mediumId: bigint
  month: number
  name: string
  revision: Generated<number>
  updatedAt: Generated<Timestamp>
}

interface WithholdingRates {
  rateAboveThreshold: number
  rateNonResident: Generated<number>
  rateUpToThreshold: number
  thresholdYen: bigint
  validFrom: Day
}

/** All tables and their columns, in camelCase. */
export interface Tables {
  accountChanges: AccountChanges
  accountUndos: AccountUndos
  agreementBankAccounts: AgreementBankAccounts
  agreementDocuments: AgreementDocuments
  agreementLawNotices: AgreementLawNotices
  agreementPublisherRuleHistory: AgreementPublisherRuleHistory
  agreementPublisherRules: AgreementPublisherRules
  agreementPublisherRuleVersions: AgreementPublisherRuleVersions
  agreementRenewalNotices: AgreementRenewalNotices
  agreements: Agreements
  agreementTermsHistory: AgreementTermsHistory
  agreementTermsVersions: AgreementTermsVersions
  annotations: Annotations
  announcementReads: AnnouncementReads
  announcements: Announcements
  announcementTargets: AnnouncementTargets
  answerTemplates: AnswerTemplates
  apiKeys: ApiKeys
  articleLabels: ArticleLabels
  auditHead: AuditHead
  auditLog: AuditLog
  bankAccounts: BankAccounts
  bankAccountSwitches: BankAccountSwitches
  bankBranches: BankBranches
  bankMasterImports: BankMasterImports
  banks: Banks
  boards: Boards
  closeAcknowledgements: CloseAcknowledgements
  consumptionTaxRates: ConsumptionTaxRates
  demonstration: Demonstration
  dividendLedgerLines: DividendLedgerLines
  dividendOperations: DividendOperations
  dividendRows: DividendRows
  dividends: Dividends
  dividendWeights: DividendWeights
  eventHours: EventHours
  feedHealth: FeedHealth
  feeds: Feeds
  feedSeenItems: FeedSeenItems
  figureAlertChecks: FigureAlertChecks
  figureAlerts: FigureAlerts
  holidayImports: HolidayImports
  holidays: Holidays
  idempotencyKeys: IdempotencyKeys
  idpAccounts: IdpAccounts
  idpAttempts: IdpAttempts
  idpAuthenticators: IdpAuthenticators
  idpPayloads: IdpPayloads
  idpRecoveryCodes: IdpRecoveryCodes
  idpSessionUses: IdpSessionUses
  idpSettings: IdpSettings
  importRows: ImportRows
  imports: Imports
  ingestBatches: IngestBatches
  ingestQuarantinedRows: IngestQuarantinedRows
  inputTaxDeductions: InputTaxDeductions
  invariantRuns: InvariantRuns
  invariantViolations: InvariantViolations
  invitations: Invitations
  invoiceRegisterResults: InvoiceRegisterResults
  journalAccounts: JournalAccounts
  lateCorrections: LateCorrections
  legalHolds: LegalHolds
  media: Media
  mediumArticleRemovals: MediumArticleRemovals
  mediumArticles: MediumArticles
  monthCloseLog: MonthCloseLog
  monthClosings: MonthClosings
  monthlyAdjustments: MonthlyAdjustments
  monthlyAgreementSnapshots: MonthlyAgreementSnapshots
  monthlyCarriedBuckets: MonthlyCarriedBuckets
  monthlyEstimates: MonthlyEstimates
  monthlyPaidBuckets: MonthlyPaidBuckets
  monthlyPayments: MonthlyPayments
  monthlyPools: MonthlyPools
  monthlyPublisherPayments: MonthlyPublisherPayments
  monthlyRuleSnapshots: MonthlyRuleSnapshots
  monthlySnapshotInputs: MonthlySnapshotInputs
  monthlyTaxLines: MonthlyTaxLines
  monthStates: MonthStates
  openingBalances: OpeningBalances
  organizations: Organizations
  pageViews: PageViews
  paymentSettingRevisions: PaymentSettingRevisions
  paymentSettings: PaymentSettings
  policies: Policies
  practiceEntries: PracticeEntries
  practicePayments: PracticePayments
  practicePublisherPayments: PracticePublisherPayments
  practiceSystem: PracticeSystem
  preferences: Preferences
  publisherApiKeyPaces: PublisherApiKeyPaces
  publisherApiKeys: PublisherApiKeys
  publisherRevenueEstimates: PublisherRevenueEstimates
  publishers: Publishers
  questionMessages: QuestionMessages
  questionReads: QuestionReads
  questions: Questions
  reportMailDeliveries: ReportMailDeliveries
  reportMails: ReportMails
  retentionRuns: RetentionRuns
  revenueEstimates: RevenueEstimates
  roles: Roles
  savedViews: SavedViews
  secondFactorRule: SecondFactorRule
  sentMails: SentMails
  settlementRules: SettlementRules
  statementEventNotices: StatementEventNotices
  statementEvents: StatementEvents
  statementNotices: StatementNotices
  statements: Statements
  statementSettings: StatementSettings
  statsLedger: StatsLedger
  statsVersions: StatsVersions
  transferBatches: TransferBatches
  transferFees: TransferFees
  transferPayments: TransferPayments
  transferRecalls: TransferRecalls
  transferRecords: TransferRecords
  transferResultImports: TransferResultImports
  transferReturnFees: TransferReturnFees
  transfers: Transfers
  transferSources: TransferSources
  userAgreements: UserAgreements
  userRoles: UserRoles
  users: Users
  videos: Videos
  viewAsSessions: ViewAsSessions
  webhookDeliveries: WebhookDeliveries
  webhookEvents: WebhookEvents
  webhooks: Webhooks
  whatIfDrafts: WhatIfDrafts
  withholdingRates: WithholdingRates
}
