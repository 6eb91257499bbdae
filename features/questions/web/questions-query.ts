import { formatYearMonth } from '@pc/domain/month/year-month.ts'
import { type QuestionCondition, questionCondition } from '../question-condition.ts'
import { QuestionsDocument, type QuestionsQueryVariables } from './questions.gen.ts'

type Param = NonNullable<QuestionsQueryVariables['param']>
const STATES: Readonly<Record<QuestionCondition['state'], Param['states']>> = {
  unsolved: ['open', 'answered'],
  open: ['open'],
  answered: ['answered'],
  resolved: ['resolved'],
  all: undefined,
}

export const questionsQuery = {
  document: QuestionsDocument,
  variables(condition: QuestionCondition): QuestionsQueryVariables {
    const { q, state, assignee, kind, month, unread } = condition
    const { limit, offset } = questionCondition.pageVariables(condition)
    const states = STATES[state]
    return {
      limit,
      offset,
      ...(q === '' ? {} : { q }),
      param: {
        ...(states ? { states } : {}),
        ...(assignee === 'all' ? {} : { assignee }),
        ...(kind === 'all' ? {} : { isObjection: kind === 'objection' }),
        ...(month === undefined ? {} : { month: formatYearMonth(month) }),
        ...(unread ? { isUnread: true } : {}),
      },
    }
  },
}
