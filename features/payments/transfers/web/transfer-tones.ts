import type { TransferState } from '@pc/domain/payment/payment-states.ts'
import type { BadgeTone } from '@pc/ui/elements/card.tsx'

export const TRANSFER_TONES: Readonly<Record<TransferState, BadgeTone>> = {
  planned: 'warn',
  exported: 'warn',
  paid: 'ok',
  returned: 'bad',
  cancelled: 'mute',
}
