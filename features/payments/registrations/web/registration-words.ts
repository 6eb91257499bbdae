import type { InvoiceRegisterWatchQuery } from './registrations.gen.ts'

export type RegisterWatch = NonNullable<InvoiceRegisterWatchQuery['invoiceRegisterWatch']>
export type WatchedNumber = RegisterWatch['nodes'][number]
