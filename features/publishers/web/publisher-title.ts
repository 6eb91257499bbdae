import { recordTitle } from '@pc/ui/routing/record-title.ts'

export const publisherTitle = recordTitle('パブリッシャー', { action: 'write:update', resource: 'insight:publisher.' })
