import { expect, test } from 'vitest'
import type { BoardRow } from '../../core/web/manual-operation-words.ts'
import { activeSteps, closeSteps, mediaToCompute } from './close-steps.ts'

type CheckState = BoardRow['checks'][number]['state']
const NOTHING = {
  ...{ unnotifiedStatements: 0, statementsWithoutRecipient: 0, scheduledPayments: 0, exportedPayments: 0 },
  paidPayments: 0,
}
const row = (
  state: BoardRow['state'],
  checks: readonly (readonly [BoardRow['checks'][number]['kind'], CheckState])[] = [],
  progress: Partial<typeof NOTHING & { returnedPayments: number }> = {},
): BoardRow => {
  const { returnedPayments = 0, ...rest } = progress
  const isFinal = state === 'finalized' || state === 'paid'
  return {
    ...{ mediumId: '1', mediumName: 'ニュースアプリ', state, hash: null },
    ...{ computedAt: state === 'open' ? null : '2026-11-02T00:00:00Z' },
    ...{ finalizedAt: isFinal ? '2026-11-04T00:00:00Z' : null, payments: 3, payment: 0, paymentIncludingTax: 0 },
    ...{ carriedOver: 0, heldForAccount: 0, unpaidPayments: 0, previousPaymentIncludingTax: null, returnedPayments },
    progress: { ...NOTHING, ...rest },
    canFinalize: state === 'computed' && checks.every(([, each]) => each === 'green' || each === 'amber'),
    checks: checks.map(([kind, each]) => ({
      ...{ kind, state: each, label: kind, detail: '', link: null, subject: null },
      acknowledgements: [],
    })),
  }
}
const said = (rows: readonly BoardRow[]) => closeSteps(rows).map(({ id, state, note }) => `${id} ${state} ${note}`)
const activeOf = (rows: readonly BoardRow[]) => activeSteps(closeSteps(rows)).map(({ id }) => id)

test('nothing is computed: that is the first thing to do, and nothing after it is called a problem yet', () => {
  const rows = [row('open', [['agreements', 'red']]), row('computed', [['agreements', 'green']])]
  expect(said(rows)).toEqual([
    'compute now 未計算 1媒体',
    'check later 要対応 1件',
    'finalize now 確定可 1媒体',
    'notify later 確定後',
    'transfer later 確定後',
    'settle later 確定後',
  ])
  expect(activeOf(rows)).toEqual(['compute', 'finalize'])
})

test('what has changed since the computation is computed again', () => {
  const outdated = row('computed', [['agreements', 'red']])
  expect(mediaToCompute([outdated, row('computed'), row('finalized')])).toEqual([outdated])
})

test('a red check of computed months is the problem; waiting ones are waited for', () => {
  const red = [row('computed', [['jobs', 'red']])]
  expect(said(red).slice(0, 3)).toEqual(['compute done 計算済み', 'check problem 要対応 1件', 'finalize later 確認後'])
  expect(activeOf(red)).toEqual(['check'])
  const waiting = [row('computed', [['invariants', 'waiting']])]
  expect(said(waiting)[1]).toBe('check later 確認待ち 1件')
  expect(activeOf(waiting)).toEqual([])
})

test('with warnings alone the month can be finalised', () => {
  const rows = [row('computed', [['law', 'amber']]), row('finalized')]
  expect(said(rows).slice(1, 3)).toEqual(['check done 注意 1件', 'finalize now 確定可 1媒体'])
  expect(activeOf(rows)).toEqual(['finalize'])
})

test('after the close the statements, the transfers and the bank follow in their order', () => {
  const notified = { unnotifiedStatements: 2, scheduledPayments: 3 }
  expect(said([row('finalized', [], notified)]).slice(3)).toEqual([
    'notify later 通知待ち 2件',
    'transfer now 振込待ち 3件',
    'settle later 振込後',
  ])
  // Emails go out by themselves.
  expect(activeOf([row('finalized', [], notified)])).toEqual(['transfer'])
  expect(activeOf([row('finalized', [], { scheduledPayments: 3 })])).toEqual(['transfer'])
  expect(activeOf([row('finalized', [], { exportedPayments: 3 })])).toEqual(['settle'])
  const returned = [row('paid', [], { returnedPayments: 1, paidPayments: 2 })]
  expect(said(returned).at(-1)).toBe('settle problem 組戻し 1件')
  expect(activeOf(returned)).toEqual(['settle'])
})

test('payees whom nobody can write to do not hold up the money', () => {
  const rows = [row('finalized', [], { statementsWithoutRecipient: 1, scheduledPayments: 3 })]
  expect(said(rows)[3]).toBe('notify problem 通知先なし 1件')
  expect(activeOf(rows)).toEqual(['notify', 'transfer'])
})

test('a month that is paid leaves nothing to do, and so does one that paid nothing', () => {
  expect(activeOf([row('paid', [], { paidPayments: 3 })])).toEqual([])
  expect(activeOf([row('finalized')])).toEqual([])
})

test('money of a closed medium may be on its way while another is still open', () => {
  const rows = [row('finalized', [], { scheduledPayments: 3 }), row('computed', [['jobs', 'red']])]
  expect(said(rows)).toEqual([
    'compute done 計算済み',
    'check problem 要対応 1件',
    'finalize later 確定済み 1/2媒体',
    'notify later 確定後',
    'transfer now 振込待ち 3件',
    'settle later 振込後',
  ])
})

test('a month that is not over asks nobody for anything', () => {
  const rows = [
    row('open', [
      ['month_over', 'red'],
      ['agreements', 'red'],
    ]),
    row('computed', [['month_over', 'red']]),
  ]
  expect(said(rows).slice(0, 3)).toEqual([
    'compute later 未計算 1媒体',
    'check later 月の終了後',
    'finalize later 確認後',
  ])
  expect(activeOf(rows)).toEqual([])
})
