import type { DutyKind } from '@pc/domain/duty/duty.ts'
import { agreementCondition } from '@pc/features/agreements/agreement-condition.ts'
import { AGREEMENTS_PATH } from '@pc/features/agreements/links.ts'
import { bankAccountCondition } from '@pc/features/bank-accounts/bank-account-condition.ts'
import { BANK_ACCOUNTS_PATH } from '@pc/features/bank-accounts/links.ts'
import { feedCondition } from '@pc/features/feeds/feed-condition.ts'
import { FEEDS_PATH } from '@pc/features/feeds/links.ts'
import { TRANSFERS_PATH } from '@pc/features/payments/links.ts'
import { transferCondition } from '@pc/features/payments/transfer-condition.ts'
import { questionsAddress } from '@pc/features/questions/links.ts'
import { statementsAddress } from '@pc/features/statements/links.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { MONTH_CLOSE_PATH } from '../../payments/links.ts'

interface DutyWords {
  readonly label: string
  readonly unit: '件' | '媒体'
  /** The list with its filter set, so that it has as many rows as the count. */
  readonly address: string
}

const agreements = (need: 'renewal' | 'account', payment: 'all' | 'enabled') =>
  addressOf(AGREEMENTS_PATH, agreementCondition.format({ ...agreementCondition.defaults, need, payment }))

export const DUTY_WORDS: Readonly<Record<DutyKind, DutyWords>> = {
  months_to_close: { label: '前月の締め', unit: '媒体', address: addressOf(MONTH_CLOSE_PATH) },
  recalls_requested: {
    ...({ label: '承認待ちの組戻し', unit: '件' } as const),
    address: addressOf(TRANSFERS_PATH, transferCondition.format({ ...transferCondition.defaults, waiting: 'recall' })),
  },
  transfers_returned: { label: '組戻しになった支払', unit: '件', address: addressOf(TRANSFERS_PATH) },
  payments_to_send: { label: 'これから振り込む支払', unit: '件', address: addressOf(TRANSFERS_PATH) },
  statements_objected: {
    ...({ label: '支払通知書への照会', unit: '件' } as const),
    address: statementsAddress({ state: 'objected' }),
  },
  statements_to_confirm: {
    ...({ label: '確認待ちの支払通知書', unit: '件' } as const),
    address: statementsAddress({ state: 'issued' }),
  },
  questions_open: {
    ...({ label: '回答待ちの質問', unit: '件' } as const),
    address: questionsAddress({ state: 'open', kind: 'question' }),
  },
  questions_answered: { label: '回答が届いた質問', unit: '件', address: questionsAddress({ state: 'answered' }) },
  accounts_requested: {
    ...({ label: '承認待ちの振込口座', unit: '件' } as const),
    address: addressOf(
      BANK_ACCOUNTS_PATH,
      bankAccountCondition.format({ ...bankAccountCondition.defaults, state: 'requested' }),
    ),
  },
  agreements_without_account: { label: '口座が未登録の契約', unit: '件', address: agreements('account', 'enabled') },
  agreements_to_renew: { label: '更新の確認が必要な契約', unit: '件', address: agreements('renewal', 'all') },
  feeds_down: {
    ...({ label: '障害中のフィード', unit: '件' } as const),
    address: addressOf(FEEDS_PATH, feedCondition.format({ ...feedCondition.defaults, health: 'outage' })),
  },
}
