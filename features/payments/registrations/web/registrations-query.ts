import { InvoiceRegisterWatchDocument } from './registrations.gen.ts'

export const registrationsQuery = { document: InvoiceRegisterWatchDocument, variables: () => ({}) }
