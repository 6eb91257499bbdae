import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database, Transaction } from '@pc/platform/postgres/database.ts'
import type { ReadTransferRules } from './generate-statements.ts'

/** An announcement for one organisation, shown under the bell. */
export interface Announcement {
  readonly organizationId: bigint
  readonly title: string
  /** HTML of the allow-list; only texts of our own, no names. */
  readonly body: string
  readonly startAt: Date
  readonly endAt: Date
}

/** The steps from estimate to final amount of these payments, in yen; the last one is the sum of the others. */
export type ReadBridge = (
  tx: Transaction,
  monthlyPaymentIds: readonly bigint[],
) => Promise<readonly { readonly label: string; readonly amountYen: bigint }[] | undefined>

/** Copies an objection and its answer into a thread. The feature `questions` supplies it. */
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
  /** The rules of transfers. The feature `payments` supplies it. */
  readonly readTransferRules: ReadTransferRules
  /** Origin of the console, for the link in the email. */
  readonly webOrigin: string
  /** The feature `payments` supplies it. */
  readonly readBridge: ReadBridge
  readonly keepThread: KeepThread
  /** Publishes an announcement. The feature `announcements` supplies it. */
  readonly announce: (tx: Transaction, announcement: Announcement) => Promise<void>
}
