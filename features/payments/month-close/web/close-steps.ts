import { formatInteger } from '@pc/ui/text/format.ts'
import type { BoardRow } from '../../core/web/manual-operation-words.ts'

export type CloseStepId = 'compute' | 'check' | 'finalize' | 'notify' | 'transfer' | 'settle'
/** `problem`: something must be repaired first. `later`: an earlier step is not done, or it happens automatically. */
export type CloseStepState = 'done' | 'now' | 'problem' | 'later'

export interface CloseStep {
  readonly id: CloseStepId
  readonly label: string
  readonly state: CloseStepState
  /** What is still to be done, or how much has been. */
  readonly note: string
}

const LABELS: Readonly<Record<CloseStepId, string>> = {
  compute: '計算',
  check: '確認',
  finalize: '確定',
  notify: '通知',
  transfer: '振込',
  settle: '消込',
}

/** Open media that were not computed, or whose inputs have changed since. */
export function mediaToCompute(rows: readonly BoardRow[]): readonly BoardRow[] {
  return rows.filter(row => row.finalizedAt === null && (row.state === 'open' || isToBeComputedAgain(row)))
}
const isToBeComputedAgain = (row: BoardRow) =>
  row.checks.some(check => check.kind === 'agreements' && check.state === 'red')

/** Whether the medium is open and has something that must be repaired before it can be closed. */
export const hasRed = (row: BoardRow): boolean =>
  row.finalizedAt === null && row.checks.some(check => check.state === 'red')

/** The steps of a month from its figures to the payments, each with its state over all media. */
export function closeSteps(rows: readonly BoardRow[]): readonly CloseStep[] {
  const open = rows.filter(row => row.finalizedAt === null)
  const closed = rows.length - open.length
  const isClosed = open.length === 0
  const toCompute = mediaToCompute(rows)
  const checks = open.flatMap(row => row.checks)
  // No month can be closed before it is over, so until then a red check is nobody's task.
  const isRunning = checks.some(check => check.kind === 'month_over' && check.state === 'red')
  const count = (state: BoardRow['checks'][number]['state']) => checks.filter(check => check.state === state).length
  const ready = open.filter(row => row.canFinalize).length
  const sum = (of: (progress: BoardRow['progress']) => number) => rows.reduce((all, row) => all + of(row.progress), 0)
  const unnotified = sum(each => each.unnotifiedStatements)
  const unreachable = sum(each => each.statementsWithoutRecipient)
  const scheduled = sum(each => each.scheduledPayments)
  const exported = sum(each => each.exportedPayments)
  const returned = rows.reduce((all, row) => all + row.returnedPayments, 0)
  const paid = sum(each => each.paidPayments)
  const media = (number: number) => `${formatInteger(number)}媒体`
  const items = (number: number) => `${formatInteger(number)}件`
  return [computeStep(), checkStep(), finalizeStep(), notifyStep(), transferStep(), settleStep()]

  function computeStep(): CloseStep {
    if (toCompute.length > 0) return step('compute', isRunning ? 'later' : 'now', `未計算 ${media(toCompute.length)}`)
    return step('compute', 'done', '計算済み')
  }
  function checkStep(): CloseStep {
    if (isClosed) return step('check', 'done', '確認済み')
    if (isRunning) return step('check', 'later', '月の終了後')
    const [red, waiting, amber] = [count('red'), count('waiting'), count('amber')]
    if (red > 0) return step('check', toCompute.length > 0 ? 'later' : 'problem', `要対応 ${items(red)}`)
    if (waiting > 0) return step('check', 'later', `確認待ち ${items(waiting)}`)
    return step('check', 'done', amber > 0 ? `注意 ${items(amber)}` : '問題なし')
  }
  function finalizeStep(): CloseStep {
    if (isClosed) return step('finalize', 'done', `全${media(rows.length)}`)
    if (ready > 0) return step('finalize', 'now', `確定可 ${media(ready)}`)
    return step('finalize', 'later', closed > 0 ? `確定済み ${formatInteger(closed)}/${media(rows.length)}` : '確認後')
  }
  function notifyStep(): CloseStep {
    if (unnotified > 0) return step('notify', 'later', `通知待ち ${items(unnotified)}`)
    if (unreachable > 0) return step('notify', 'problem', `通知先なし ${items(unreachable)}`)
    return isClosed ? step('notify', 'done', '通知済み') : step('notify', 'later', AFTER_CLOSE)
  }
  function transferStep(): CloseStep {
    if (scheduled > 0) return step('transfer', 'now', `振込待ち ${items(scheduled)}`)
    return isClosed ? step('transfer', 'done', '手続き済み') : step('transfer', 'later', AFTER_CLOSE)
  }
  function settleStep(): CloseStep {
    if (returned > 0) return step('settle', 'problem', `組戻し ${items(returned)}`)
    if (exported > 0) return step('settle', 'now', `結果待ち ${items(exported)}`)
    if (scheduled > 0) return step('settle', 'later', '振込後')
    return isClosed ? step('settle', 'done', `支払済み ${items(paid)}`) : step('settle', 'later', AFTER_CLOSE)
  }
}

const AFTER_CLOSE = '確定後'
const step = (id: CloseStepId, state: CloseStepState, note: string): CloseStep => ({
  id,
  label: LABELS[id],
  state,
  note,
})

/** The steps with something to do, in order; none: the rest happens automatically, or everything is done. */
export function activeSteps(steps: readonly CloseStep[]): readonly CloseStep[] {
  return steps.filter(each => each.state === 'problem' || each.state === 'now')
}
