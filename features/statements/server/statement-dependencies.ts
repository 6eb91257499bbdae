import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { ReadTransferRules } from './generate-statements.ts'

/** A line in the bell of one organisation. */
export interface Announcement {
  readonly organizationId: bigint
  readonly title: string
  /** HTML of the allow-list; only texts of our own, no names. */
  readonly body: string
  readonly startAt: Date
  readonly endAt: Date
}

/** Named amounts in yen; the last one is what the others come to. */
export type ReadBridge = (
  tx: Transaction,
  monthlyPaymentIds: readonly bigint[],
) => Promise<readonly { readonly label: string; readonly amountYen: bigint }[] | undefined>

/** Puts an objection and its answer among the questions; the feature that keeps questions brings it. */
export type KeepThread = (
  tx: Transaction,
  said: {
    readonly event: 'object' | 'withdraw' | 'resolve' | 'replace'
    readonly statementId: bigint
    readonly organizationId: bigint
    readonly agreementId: bigint
    readonly mediumId: bigint
    readonly month: number
    readonly subject: string
    readonly context: string
    readonly value: string
    readonly text: string
    readonly writer: { readonly uid: string; readonly email: string }
    readonly at: Date
  },
) => Promise<void>

export interface StatementDependencies {
  readonly database: Database
  /** The clock of the books. */
  readonly clock: Clock
  readonly jobs: Jobs
  /** Whether documents say that they are for practice only. */
  readonly isPractice: boolean
  /** How transfers are made; the feature that sends them brings it. */
  readonly readTransferRules: ReadTransferRules
  /** Where the console is, for the link in the mail. */
  readonly webOrigin: string
  /** How the estimate of payments became their final amounts; the feature that keeps the estimates brings it. */
  readonly readBridge: ReadBridge
  readonly keepThread: KeepThread
  /** Puts a line into the bell of an organisation; the feature that keeps announcements brings it. */
  readonly announce: (tx: Transaction, announcement: Announcement) => Promise<void>
}
