import { startupQueries } from '@pc/ui/prefetch/startup-queries.ts'
import { HOME, SCREENS } from './routes.ts'

export const { sendStartupQueries } = startupQueries({ screens: SCREENS, home: HOME, own: 'insight' })
