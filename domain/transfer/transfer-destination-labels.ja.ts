import type { TransferDestination } from './transfer-fee.ts'

export const TRANSFER_DESTINATION_LABELS_JA: Readonly<Record<TransferDestination, string>> = {
  same_branch: '同一支店宛',
  same_bank: '同行宛',
  other_bank: '他行宛',
}
