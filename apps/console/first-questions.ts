import { firstQuestions } from '@pc/ui/first-questions.ts'
import { HOME, SCREENS } from './routes.ts'

export const { askFirst } = firstQuestions({ screens: SCREENS, home: HOME, own: 'insight' })
