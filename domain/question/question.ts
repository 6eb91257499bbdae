import { type Refusal, refusal } from '../refusal.ts'
import { ok, type Result, refused } from '../result.ts'

/**
 * What a question is about.
 * - `payment`, `publisher_payment`: an amount of a row, or a node of its breakdown.
 * - `report`: a figure of some days of the dashboard.
 * - `statement`: an objection to a statement, which is raised and answered there and discussed here.
 */
export const QUESTION_KINDS = ['payment', 'publisher_payment', 'report', 'statement'] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

export const QUESTION_STATES = ['open', 'answered', 'resolved'] as const
export type QuestionState = (typeof QUESTION_STATES)[number]

export const QUESTION_STATE_LABELS: Readonly<Record<QuestionState, string>> = {
  open: '未回答',
  answered: '回答済み',
  resolved: '解決',
}

/** Characters of a message, and open questions of one person. */
export const QUESTION_BOUNDS = { text: 2_000, openPerPerson: 200 } as const

/** What happens in a thread. `note` is an internal note, which publishers never see. */
export type QuestionStep = 'ask' | 'answer' | 'note' | 'resolve'

/** The state of a thread after a step: a further question reopens it, an internal note changes nothing. */
export function stateAfter(state: QuestionState, step: QuestionStep): QuestionState {
  switch (step) {
    case 'ask':
      return 'open'
    case 'answer':
      return 'answered'
    case 'note':
      return state
    case 'resolve':
      return 'resolved'
  }
}

type MessageRefusal = Refusal<'question/text-missing' | 'question/text-too-long'>

/** A message as it is stored: trimmed, with uniform line breaks. */
export function checkMessage(typed: string, path: readonly string[]): Result<string, MessageRefusal> {
  const text = typed.replaceAll(/\r\n?/g, '\n').trim()
  // Zero-width spaces alone are no text.
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(text)) return refused(refusal('question/text-missing', path))
  const max = QUESTION_BOUNDS.text
  if ([...text].length > max) return refused(refusal('question/text-too-long', path, { max }))
  return ok(text)
}
