import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { flag, id, ids, month, oneOf, page, text } from '@pc/domain/condition/params.ts'

export const QUESTION_PAGE_SIZE = 50

/** `unsolved`: threads that wait for either side. */
const QUESTION_FILTER_STATES = ['unsolved', 'open', 'answered', 'resolved', 'all'] as const
const QUESTION_FILTER_ASSIGNEES = ['all', 'me', 'none'] as const
/** `objection`: threads about a statement with an open objection. */
const QUESTION_FILTER_KINDS = ['all', 'question', 'objection'] as const

export const questionCondition = defineCondition({
  q: text(),
  state: oneOf(QUESTION_FILTER_STATES),
  /** For staff only: who answers. */
  assignee: oneOf(QUESTION_FILTER_ASSIGNEES),
  /** For staff only. */
  kind: oneOf(QUESTION_FILTER_KINDS),
  month: month(),
  unread: flag(),
  /** The open thread. */
  id: id(),
  /** The subject of a new question, as `formatAskTarget` writes it; empty: no question is being asked. */
  ask: text(),
  /** The node of the breakdown; empty: the amount itself. */
  at: text(),
  mediumId: ids(),
  publisherId: ids(),
  page: page(QUESTION_PAGE_SIZE),
})
export type QuestionCondition = ConditionOf<typeof questionCondition>
