import { PaymentSettingsDocument } from './payment-settings.gen.ts'

export const paymentSettingsQuery = { document: PaymentSettingsDocument, variables: () => ({}) }
