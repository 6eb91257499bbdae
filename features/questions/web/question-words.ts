import { parseDay } from '@pc/domain/month/day.ts'
import { monthText } from '@pc/domain/month/day-text.ja.ts'
import { parseYearMonth } from '@pc/domain/month/year-month.ts'
import type { TemplateFacts } from '@pc/domain/question/answer-template.ts'
import type { QuestionState } from '@pc/domain/question/question.ts'
import { PAYMENTS_BY_AGREEMENT_PATH, PAYMENTS_FOR_PUBLISHERS_PATH } from '@pc/features/payments/links.ts'
import { explainedPayments } from '@pc/features/payments/payment-condition.ts'
import { dashboardCondition } from '@pc/features/reports/dashboard-condition.ts'
import { DASHBOARD_PATH } from '@pc/features/reports/links.ts'
import { statementsAddress } from '@pc/features/statements/links.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import type { QuestionsQuery, ThreadFragment } from './questions.gen.ts'

export type QuestionListRow = NonNullable<QuestionsQuery['questions']>['nodes'][number]

export const STATE_TONES: Readonly<Record<QuestionState, BadgeTone>> = {
  open: 'warn',
  answered: 'ok',
  resolved: 'mute',
}

/** 81,160円 · 1,234回 · データなし */
export function valueText(value: string | null, unit: 'yen' | 'count'): string {
  if (value === null) return 'データなし'
  return `${value.replace('-', '−')}${unit === 'yen' ? '円' : '回'}`
}

type Pinned = Pick<
  ThreadFragment,
  | ('kind' | 'month' | 'monthlyPaymentId' | 'monthlyPublisherPaymentId' | 'statementId' | 'column' | 'path')
  | ('fromDay' | 'toDay' | 'mediumIds' | 'publisherIds')
>

/** The screen that shows the subject of a question, with the subject opened. */
export function subjectAddress(thread: Pinned, isStaff: boolean): string {
  if (thread.kind === 'statement')
    return statementsAddress(thread.statementId === null ? {} : { id: thread.statementId })
  if (thread.kind === 'report') {
    const condition = dashboardCondition.format({
      ...dashboardCondition.defaults,
      from: parseDay(thread.fromDay ?? ''),
      to: parseDay(thread.toDay ?? ''),
      mediumId: thread.mediumIds,
      publisherId: thread.publisherIds,
    })
    return addressOf(DASHBOARD_PATH, condition)
  }
  const { kind, column, path } = thread
  const id = thread.monthlyPaymentId ?? thread.monthlyPublisherPaymentId ?? ''
  const month = parseYearMonth(thread.month ?? '')
  const condition = explainedPayments({ kind, id, column: column ?? '' }, path ?? '', month)
  return addressOf(isStaff ? PAYMENTS_BY_AGREEMENT_PATH : PAYMENTS_FOR_PUBLISHERS_PATH, condition)
}

/** Values for the placeholders of a template. */
export function templateFacts(
  thread: Pick<
    ThreadFragment,
    'subject' | 'context' | 'month' | 'organizationName' | 'valueThen' | 'valueNow' | 'unit' | 'kind'
  >,
): TemplateFacts {
  const month = parseYearMonth(thread.month ?? '')
  const parts = thread.context.split(' / ')
  return {
    対象: thread.subject,
    質問時の値: valueText(thread.valueThen, thread.unit),
    ...(thread.organizationName === null ? {} : { 支払先: thread.organizationName }),
    ...(month === undefined ? {} : { 月: `${monthText(month)}分` }),
    ...(thread.kind === 'report' ? {} : { 契約: parts[0] ?? '' }),
    ...(parts.length > 1 ? { 媒体: parts.at(-1)! } : {}),
    ...(thread.valueNow ? { 現在の値: valueText(thread.valueNow.value, thread.unit) } : {}),
  }
}
