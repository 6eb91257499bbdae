import { recordTitle } from '@pc/ui/record-title.ts'

export const agreementTitle = recordTitle('契約', { action: 'write:update', resource: 'insight:agreement.' })
