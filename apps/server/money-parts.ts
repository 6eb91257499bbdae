import type { PrepareOperation } from '@pc/features/dividends/server/dividend-fields.ts'
import { rebookPools } from '@pc/features/dividends/server/dividend-ledger.ts'
import type { DividendParts } from '@pc/features/dividends/server/dividend-parts.ts'
import { enterCorrection } from '@pc/features/dividends/server/enter-correction.ts'
import type { AuditParts } from '@pc/features/payments/server/audit-month.ts'
import type { PaymentParts } from '@pc/features/payments/server/compute-month.ts'
import { prepareOperation } from '@pc/features/payments/server/finalize-operation.ts'
import type { LateFiguresParts } from '@pc/features/payments/server/late-figures.ts'
import { monthDesk } from '@pc/features/payments/server/month-desk.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database } from '@pc/platform/postgres/database.ts'
import type { StatsStore } from '@pc/platform/stats/port.ts'

export interface MoneyParts {
  readonly payments: PaymentParts & AuditParts & LateFiguresParts
  readonly dividends: DividendParts
  readonly prepareOperation: PrepareOperation
}

/** Payments and dividends know of each other only what is handed to them here. */
export function moneyParts(parts: {
  readonly database: Database
  readonly stats: StatsStore
  readonly clock: Clock
  readonly jobs: Jobs
  readonly webOrigin: string
}): MoneyParts {
  const { database, clock, jobs } = parts
  const dividends = { database, clock, jobs, months: monthDesk(parts) }
  return {
    payments: {
      ...parts,
      rebookPools,
      enterCorrection: (tx, correction) => enterCorrection(tx, dividends, correction),
    },
    dividends,
    prepareOperation: operation => prepareOperation(parts, operation),
  }
}
