import { firstQuestions } from '@pc/ui/prefetch/startup-queries.ts'
import { HOME, SCREENS } from './routes.ts'

export const { askFirst } = firstQuestions({ screens: SCREENS, home: HOME, own: 'insight' })
