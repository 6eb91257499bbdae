import { type ConditionOf, defineCondition } from '@pc/domain/condition/condition.ts'
import { flag, id, ids, month, oneOf, page, text } from '@pc/domain/condition/params.ts'

export const QUESTION_PAGE_SIZE = 50

/** `unsolved`: those that wait for somebody, on either side. */
const QUESTION_FILTER_STATES = ['unsolved', 'open', 'answered', 'resolved', 'all'] as const
const QUESTION_FILTER_ASSIGNEES = ['all', 'me', 'none'] as const
/** `objection`: of a statement that is objected to now, which has a list of its own. */
const QUESTION_FILTER_KINDS = ['all', 'question', 'objection'] as const

export const questionCondition = defineCondition({
  q: text(),
  state: oneOf(QUESTION_FILTER_STATES),
  /** Of staff: who answers. */
  assignee: oneOf(QUESTION_FILTER_ASSIGNEES),
  /** Of staff. */
  kind: oneOf(QUESTION_FILTER_KINDS),
  month: month(),
  unread: flag(),
  /** The thread that is open. */
  id: id(),
  /** What is asked about, as `formatAskTarget` writes it; empty: nothing is asked. */
  ask: text(),
  /** The node of the breakdown; empty: the amount itself. */
  at: text(),
  mediumId: ids(),
  publisherId: ids(),
  page: page(QUESTION_PAGE_SIZE),
})
export type QuestionCondition = ConditionOf<typeof questionCondition>
