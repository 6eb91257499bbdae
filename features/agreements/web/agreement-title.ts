import { recordTitle } from '@pc/ui/routing/record-title.ts'

export const agreementTitle = recordTitle('契約', { action: 'write:update', resource: 'insight:agreement.' })
