import { recordTitle } from '@pc/ui/routing/record-title.ts'

export const feedTitle = recordTitle('フィード', { action: 'write:update', resource: 'insight:feed.' })
