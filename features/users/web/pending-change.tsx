import { refuseSecondAdministrator } from '@pc/domain/access/account-change.ts'
import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { formatInstant } from '@pc/ui/text/format.ts'
import { Action, succeeds } from './user-action.tsx'
import { ConfirmAccountChangeDocument, WithdrawAccountChangeDocument } from './user-edit-iam.gen.ts'
import { type EditedUser, rankReason, rolesOf, rolesOfViewer } from './user-rights.ts'
import styles from './users.module.css'

type Pending = NonNullable<EditedUser['pendingChange']>

function whatChanges({ kind, newEmail }: Pending): string {
  switch (kind) {
    case 'EMAIL':
      return `メールアドレスを ${newEmail} に変更`
    case 'SECOND_FACTOR':
      return '2段階認証をすべて解除'
    case 'INVITATION':
      return '会社のアカウントの切り替え'
  }
}

const HOW: Readonly<Record<Pending['kind'], string>> = {
  EMAIL:
    '本人が、現在のメールアドレスに届いたメールかサインインした画面で承認し、新しいメールアドレスでも確認するか、依頼した人とは別の管理者が承認すると、変更されます。',
  SECOND_FACTOR:
    '本人が届いたメールで承認するか、サインインして承認するか、依頼した人とは別の管理者が承認すると、解除されます。',
  INVITATION: '本人が届いたメールで承認するか、依頼した人とは別の管理者が承認すると、本人に招待メールが届きます。',
}

/**
 * A requested change until it is confirmed: who requested it, until when it is valid, and the actions that are
 * possible.
 */
export function PendingChange({ user, viewer, change }: { user: EditedUser; viewer: Viewer; change: Pending }) {
  const agree = useSubmission(ConfirmAccountChangeDocument, 'iam')
  const withdraw = useSubmission(WithdrawAccountChangeDocument, 'iam')
  const rank = rankReason(viewer, user)
  const no = refuseSecondAdministrator(
    { uid: viewer.id, establishedRoles: rolesOfViewer(viewer) },
    { uid: user.uid, requestedByUid: change.isOwnRequest ? viewer.id : '' },
    rolesOf(user),
  )
  const runAgree = async () => {
    const isAgreed = await confirm({
      title: `${user.email}の変更を承認しますか？`,
      body: `${whatChanges(change)}します。電話などで本人からの依頼であることを確かめてください。すべてのサインインが終了し、変更前のメールアドレスに、異議を申し立てるリンクを送信します。`,
      action: '承認する',
      tone: 'danger',
    })
    if (!isAgreed || !(await succeeds(agree({ uid: user.uid, id: change.id })))) return
    showToast({ tone: 'success', message: `${user.email}の変更を承認しました。` })
  }
  const runWithdraw = async () => {
    if (await succeeds(withdraw({ uid: user.uid, id: change.id })))
      showToast({ tone: 'success', message: `${user.email}の変更の依頼を取り消しました。` })
  }
  return (
    <Card title="確認を待っている変更">
      <dl className={styles.facts}>
        <dt>内容</dt>
        <dd>{whatChanges(change)}</dd>
        <dt>依頼した人</dt>
        <dd>{change.requestedByEmail ?? '運営の担当者'}</dd>
        <dt>依頼日時</dt>
        <dd>{formatInstant(change.requestedAt)}</dd>
        <dt>期限</dt>
        <dd>{formatInstant(change.expiresAt)}まで。過ぎると、変更は行われません。</dd>
      </dl>
      <p className={styles.hint}>{HOW[change.kind]}</p>
      {viewer.can('write:update', 'iam:user.') && (
        <ul className={styles.actions}>
          <Action
            title="承認"
            text="本人に確かめたうえで、2人目の管理者として承認します。"
            label="変更を承認"
            reason={rank ?? (no && USER_REFUSALS_JA[no.code](no.data))}
            onRun={() => void runAgree()}
          />
          <Action
            title="取り消し"
            text="変更を行わずに、依頼を取り消します。"
            label="依頼を取り消す"
            reason={rank}
            onRun={() => void runWithdraw()}
          />
        </ul>
      )}
    </Card>
  )
}
