import type { Scope, Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { DayRange } from '@pc/domain/condition/default-range.ts'
import type { QuestionFigure } from '@pc/domain/question/question-subject.ts'
import type { Clock } from '@pc/platform/clock.ts'
import type { Jobs } from '@pc/platform/jobs/open-jobs.ts'
import type { Database, Reader } from '@pc/platform/postgres/database.ts'

/** What other features know about the subjects of questions; wired in `apps/server`. */
export interface QuestionDependencies {
  readonly database: Database
  readonly clock: Clock
  readonly jobs: Jobs
  /** Origin of the console, for the link in an email. */
  readonly webOrigin: string
  /**
   * A node of a payment's breakdown as this viewer sees it; undefined when the viewer may not see it or it does not
   * exist.
   */
  readonly readAmount: (
    viewer: Viewer,
    requested: { readonly kind: 'payment' | 'publisher_payment'; id: bigint; column: string; path: string | null },
  ) => Promise<{ readonly label: string; readonly value: string } | undefined>
  /** A figure of the dashboard within a scope; null: no data. */
  readonly readFigure: (
    reader: Reader,
    scope: Scope,
    requested: {
      readonly range: DayRange
      readonly figure: QuestionFigure
      readonly mediumIds: readonly bigint[]
      readonly publisherIds: readonly bigint[]
    },
  ) => Promise<bigint | null>
}
