import { defineRoute } from '@pc/ui/routing/define-route.ts'
import { QUESTIONS_PATH } from '../links.ts'
import { questionCondition } from '../question-condition.ts'

export const questionsRoute = defineRoute({
  path: QUESTIONS_PATH,
  title: '質問',
  help: { staff: 'admin-guide.html#質問への回答', publisher: 'faq.html#金額や数値について質問したいです' },
  allow: { action: 'read:list', resource: 'insight:question.' },
  condition: questionCondition,
  query: () => import('./questions-query.ts').then(module => module.questionsQuery),
  view: () => import('./questions-view.tsx').then(module => module.QuestionsView),
})
