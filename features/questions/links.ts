import { type AskTarget, formatAskTarget } from '@pc/domain/question/question-subject.ts'
import { type QuestionCondition, questionCondition } from './question-condition.ts'

export const QUESTIONS_PATH = '/histories/questions'

/** The list of threads with a filter, or one thread: `#/histories/questions/id=12`. */
export function questionsAddress(change: Partial<QuestionCondition> = {}): string {
  const condition = questionCondition.format({ ...questionCondition.defaults, ...change })
  return `#${QUESTIONS_PATH}${condition === undefined ? '' : `/${encodeURIComponent(condition)}`}`
}

/** The form for a new question about a target. */
export function askAddress(
  target: AskTarget,
  narrowed: Partial<Pick<QuestionCondition, 'at' | 'mediumId' | 'publisherId'>> = {},
): string {
  return questionsAddress({ ask: formatAskTarget(target), ...narrowed })
}
