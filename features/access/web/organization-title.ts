import { recordTitle } from '@pc/ui/routing/record-title.ts'

export const organizationTitle = recordTitle('組織', { action: 'write:update', resource: 'iam:org.' })
