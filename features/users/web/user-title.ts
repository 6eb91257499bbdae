import { recordTitle } from '@pc/ui/record-title.ts'

export const userTitle = recordTitle('ユーザー', { action: 'write:update', resource: 'iam:user.' })
