import { announceToOrganization } from '@pc/features/announcements/server/announce-to-organization.ts'
import { readTransferRules } from '@pc/features/payments/core/server/transfer-settings.ts'
import { bridgeOfPayments } from '@pc/features/payments/explain/server/estimate-bridge.ts'
import { enterCorrection } from '@pc/features/payments/manual-operations/server/enter-correction.ts'
import type { ManualOperationDependencies } from '@pc/features/payments/manual-operations/server/manual-operation-dependencies.ts'
import type { PrepareOperation } from '@pc/features/payments/manual-operations/server/manual-operation-fields.ts'
import { rebookPools } from '@pc/features/payments/manual-operations/server/manual-operation-ledger.ts'
import type { CloseFieldDependencies } from '@pc/features/payments/month-close/server/close-fields.ts'
import { prepareOperation } from '@pc/features/payments/month-close/server/finalize-media.ts'
import type { LateFiguresDependencies } from '@pc/features/payments/month-close/server/late-figures.ts'
import { monthEntryAdapter } from '@pc/features/payments/month-close/server/month-entry-adapter.ts'
import { keepStatementThread } from '@pc/features/questions/server/keep-statement-thread.ts'
import { generateStatements } from '@pc/features/statements/server/generate-statements.ts'
import { issueStatementsOfClose, reasonsAgainst } from '@pc/features/statements/server/issue-statements.ts'
import type { StatementDependencies } from '@pc/features/statements/server/statement-dependencies.ts'
import { type Clock, today } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'

export interface MoneyDependencies {
  readonly payments: CloseFieldDependencies & LateFiguresDependencies
  readonly manualOperations: ManualOperationDependencies
  readonly prepareOperation: PrepareOperation
  readonly statements: StatementDependencies
}

/** Wires payments and manual operations, which do not import each other. */
export function moneyDependencies(parts: {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly jobs: Jobs
  readonly webOrigin: string
  /** Whether documents are marked as practice documents. Default: no. */
  readonly isPractice?: boolean
}): MoneyDependencies {
  const { database, clock, jobs, webOrigin } = parts
  const manualOperations = { database, clock, jobs, months: monthEntryAdapter(parts) }
  return {
    payments: {
      ...parts,
      rebookPools,
      enterCorrection: (tx, correction) => enterCorrection(tx, manualOperations, correction),
      async statementReasons(tx, { month, mediumId }) {
        const made = await generateStatements(
          tx,
          readTransferRules,
          { kind: 'months', month, mediumIds: [mediumId] },
          today(clock),
        )
        return made.ok ? reasonsAgainst(made.value) : made.refusals
      },
    },
    manualOperations,
    statements: {
      ...{ database, clock, jobs, readTransferRules, webOrigin, isPractice: parts.isPractice ?? false },
      announce: announceToOrganization,
      keepThread: keepStatementThread,
      readBridge: bridgeOfPayments,
    },
    // A close and its statements are one transaction.
    async prepareOperation(operation) {
      const commit = await prepareOperation(parts, operation)
      return async (tx, uid) => {
        const closed = await commit(tx, uid)
        if (!closed.ok) return closed
        const { mediumIds } = closed.value
        const issuing = { clock, jobs, readTransferRules }
        const issued = await issueStatementsOfClose(tx, issuing, { month: operation.month, mediumIds }, uid)
        return issued.ok ? closed : issued
      }
    },
  }
}
