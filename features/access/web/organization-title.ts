import { recordTitle } from '@pc/ui/record-title.ts'

export const organizationTitle = recordTitle('組織', { action: 'write:update', resource: 'iam:org.' })
