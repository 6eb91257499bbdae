import { PRACTICE_PAGE_SIZE, type PracticeCondition } from '../practice-condition.ts'
import { PracticeDocument } from './practice.gen.ts'

export const practiceQuery = {
  document: PracticeDocument,
  variables: ({ show, page }: PracticeCondition) => ({
    onlyDifferent: show === 'different',
    limit: PRACTICE_PAGE_SIZE,
    offset: (page - 1) * PRACTICE_PAGE_SIZE,
  }),
}
