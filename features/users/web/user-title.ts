import { recordTitle } from '@pc/ui/routing/record-title.ts'

export const userTitle = recordTitle('ユーザー', { action: 'write:update', resource: 'iam:user.' })
