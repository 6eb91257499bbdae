import type { GranularAction } from '@pc/domain/access/action.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import { TRANSFERS_PATH } from '@pc/features/payments/links.ts'
import { transferCondition } from '@pc/features/payments/transfer-condition.ts'
import { statementsAddress } from '@pc/features/statements/links.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { isPublisherUser, isStaffViewer, type Viewer } from '@pc/ui/session/viewer.tsx'

interface Action {
  readonly label: string
  readonly address: string
  readonly allow: { readonly action: GranularAction; readonly resource: ResourceName }
  readonly isFor: (viewer: Viewer) => boolean
}

const transfers = (dialog: 'create' | 'result') =>
  addressOf(TRANSFERS_PATH, transferCondition.format({ ...transferCondition.defaults, dialog }))
const SEND = { action: 'write:update', resource: 'insight:monthly_payment.' } as const
const ANSWER = { action: 'write:update', resource: 'insight:statement.' } as const

/** Frequent actions of the command palette, with the address where each is done. */
const ACTIONS: readonly Action[] = [
  { label: '次の支払期日の振込データを作成する', address: transfers('create'), allow: SEND, isFor: isStaffViewer },
  { label: '銀行の振込結果を取り込む', address: transfers('result'), allow: SEND, isFor: isStaffViewer },
  {
    label: '支払通知書への照会に回答する',
    address: statementsAddress({ state: 'objected' }),
    allow: ANSWER,
    isFor: isStaffViewer,
  },
  {
    label: '支払通知書を確認する',
    address: statementsAddress({ state: 'issued' }),
    allow: ANSWER,
    isFor: isPublisherUser,
  },
]

export function actionsFor(viewer: Viewer): readonly Pick<Action, 'label' | 'address'>[] {
  return ACTIONS.filter(({ allow, isFor }) => isFor(viewer) && viewer.can(allow.action, allow.resource))
}
