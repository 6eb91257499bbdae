import { recordTitle } from '@pc/ui/routing/record-title.ts'

export const mediumTitle = recordTitle('媒体', { action: 'write:update', resource: 'insight:medium.' })
