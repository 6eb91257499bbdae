import { IMPERSONATION_MINUTES } from '@pc/domain/access/impersonation.ts'
import { mayBeImpersonated } from '@pc/domain/access/role-rank.ts'
import type { OtherAdministrators } from '@pc/domain/access/user-changes.ts'
import { USER_REFUSALS_JA } from '@pc/domain/access/user-refusals.ja.ts'
import { Card } from '@pc/ui/elements/card.tsx'
import { confirm } from '@pc/ui/feedback/confirm.tsx'
import { showToast } from '@pc/ui/feedback/toasts.tsx'
import { useSubmission } from '@pc/ui/form/use-submission.ts'
import { addressOf } from '@pc/ui/routing/define-route.ts'
import { goTo } from '@pc/ui/routing/hash-location.ts'
import type { Viewer } from '@pc/ui/session/viewer.tsx'
import { useState } from 'react'
import { USERS_PATH } from '../links.ts'
import { ChangeEmailDialog } from './change-email-dialog.tsx'
import { ImpersonateDialog } from './impersonate-dialog.tsx'
import { Action, succeeds } from './user-action.tsx'
import {
  DeleteUserDocument,
  RegenerateInviteLinkDocument,
  ResetSecondFactorDocument,
  SetUserEnabledDocument,
} from './user-edit-iam.gen.ts'
import { type EditedUser, rankReason, rolesOf, whyNot } from './user-rights.ts'
import styles from './users.module.css'

interface UserActionsProps {
  user: EditedUser
  viewer: Viewer
  others: OtherAdministrators
}

/** The actions on a person other than changing rights. An action that is not possible now says why. */
export function UserActions({ user, viewer, others }: UserActionsProps) {
  const [open, setOpen] = useState<'email' | 'impersonate'>()
  const mayUpdate = viewer.can('write:update', 'iam:user.')
  const roles = rolesOf(user)
  const rank = rankReason(viewer, user)
  const disabled = user.enabled ? undefined : USER_REFUSALS_JA['user/disabled']()
  const pending = user.pendingChange ? USER_REFUSALS_JA['user/change-pending']() : undefined
  const isOneself = user.uid === viewer.id
  const items = [
    ...(mayUpdate && (user.invitation || user.accountAtIssuer)
      ? [
          <Resend
            key="resend"
            user={user}
            reason={
              rank ??
              disabled ??
              (user.invitation ? undefined : isOneself ? USER_REFUSALS_JA['user/own-invitation']() : pending)
            }
          />,
        ]
      : []),
    ...(mayUpdate
      ? [
          <Action
            key="email"
            title="メールアドレス"
            text={
              user.invitation
                ? '新しいメールアドレスに招待メールを送信します。以前のリンクは使えなくなります。'
                : '本人か、ほかの管理者の承認を受けてから変更されます。現在のメールアドレスにもお知らせします。'
            }
            label="メールアドレスを変更"
            reason={
              rank ?? disabled ?? (isOneself && !user.invitation ? USER_REFUSALS_JA['user/own-email']() : pending)
            }
            onRun={() => setOpen('email')}
          />,
          ...(user.hasSecondFactor
            ? [<FactorReset key="factor" user={user} viewer={viewer} reason={rank ?? disabled ?? pending} />]
            : []),
          <Enabling key="enabled" user={user} viewer={viewer} others={others} />,
        ]
      : []),
    ...(viewer.can('write:create', 'iam:view_as.') && mayBeImpersonated(roles)
      ? [
          <Action
            key="impersonate"
            title="このユーザーとして表示"
            text={`この方に見える画面を、閲覧のみで${IMPERSONATION_MINUTES}分間表示します。理由とともに記録されます。`}
            label="表示を始める"
            reason={disabled}
            onRun={() => setOpen('impersonate')}
          />,
        ]
      : []),
    ...(viewer.can('write:delete', 'iam:user.')
      ? [<Deletion key="delete" user={user} viewer={viewer} others={others} />]
      : []),
  ]
  if (items.length === 0) return null
  return (
    <Card title="操作">
      <ul className={styles.actions}>{items}</ul>
      {open === 'email' && <ChangeEmailDialog user={user} onClose={() => setOpen(undefined)} />}
      {open === 'impersonate' && <ImpersonateDialog user={user} onClose={() => setOpen(undefined)} />}
    </Card>
  )
}

const REQUESTED = '変更を依頼しました。本人か、ほかの管理者の承認を待っています'

function Resend({ user, reason }: { user: EditedUser; reason: string | undefined }) {
  const regenerate = useSubmission(RegenerateInviteLinkDocument, 'iam')
  const run = async () => {
    if (await succeeds(regenerate({ uid: user.uid })))
      showToast({
        tone: 'success',
        message: user.invitation ? `${user.email}に招待メールを送り直しました` : REQUESTED,
      })
  }
  return (
    <Action
      title={user.invitation ? '招待' : '会社のアカウントの登録'}
      text={
        user.invitation
          ? '新しいリンクを送信します。以前のリンクは使えなくなります。'
          : '本人か、ほかの管理者の承認を受けてから、本人に招待メールを送信します。リンクからサインインしたアカウントに切り替わります。'
      }
      label={user.invitation ? '招待メールを再送' : '切り替えを依頼'}
      reason={reason}
      onRun={() => void run()}
    />
  )
}

/** Resets the second factor of a person who has lost phone and recovery codes. */
function FactorReset({ user, viewer, reason }: { user: EditedUser; viewer: Viewer; reason: string | undefined }) {
  const reset = useSubmission(ResetSecondFactorDocument, 'iam')
  const run = async () => {
    const isAgreed = await confirm({
      title: `${user.email}の2段階認証の解除を依頼しますか？`,
      body: '電話などで本人からの依頼であることを確かめてください。本人がメールのリンクで承認するか、ほかの管理者が承認すると、認証アプリ、パスキー、リカバリーコードがすべて解除され、すべてのサインインが終了します。',
      action: '解除を依頼する',
      tone: 'danger',
    })
    if (!isAgreed || !(await succeeds(reset({ uid: user.uid })))) return
    showToast({ tone: 'success', message: REQUESTED })
  }
  return (
    <Action
      title="2段階認証の解除"
      text="スマートフォンやリカバリーコードを紛失した方のための操作です。本人か、ほかの管理者の承認を受けてから解除されます。"
      label="2段階認証を解除"
      reason={user.uid === viewer.id ? USER_REFUSALS_JA['user/own-second-factor']() : reason}
      onRun={() => void run()}
    />
  )
}

function Enabling({ user, viewer, others }: UserActionsProps) {
  const setEnabled = useSubmission(SetUserEnabledDocument, 'iam')
  const next = !user.enabled
  const reason = whyNot(viewer, user, { roles: rolesOf(user), enabled: next }, others)
  const run = async () => {
    const isAgreed =
      next ||
      (await confirm({
        title: `${user.email}を無効にしますか？`,
        body: 'すべてのサインインがすぐに終了し、有効に戻すまでサインインできなくなります。',
        action: 'ユーザーを無効にする',
        tone: 'danger',
      }))
    if (!isAgreed || !(await succeeds(setEnabled({ uid: user.uid, enabled: next })))) return
    showToast({ tone: 'success', message: `${user.email}を${next ? '有効' : '無効'}にしました。` })
  }
  return (
    <Action
      title={next ? '有効化' : '無効化'}
      text={next ? 'もう一度サインインできるようになります。' : 'サインインできなくなります。いつでも有効に戻せます。'}
      label={next ? '有効にする' : '無効にする'}
      reason={reason}
      onRun={() => void run()}
    />
  )
}

function Deletion({ user, viewer, others }: UserActionsProps) {
  const remove = useSubmission(DeleteUserDocument, 'iam')
  const run = async () => {
    const isAgreed = await confirm({
      title: `${user.email}を削除しますか？`,
      body: 'すべてのサインインがすぐに終了し、ロールと担当する契約の割り当ても失われます。元に戻せません。操作の記録は残ります。',
      action: 'ユーザーを削除する',
      tone: 'danger',
    })
    if (!isAgreed || !(await succeeds(remove({ uid: user.uid })))) return
    showToast({ tone: 'success', message: `${user.email}を削除しました。` })
    goTo(addressOf(USERS_PATH), { replace: true, isFinal: true })
  }
  return (
    <Action
      title="削除"
      text="ユーザーを完全に削除します。元に戻せません。"
      label="ユーザーを削除"
      tone="danger"
      reason={whyNot(viewer, user, undefined, others)}
      onRun={() => void run()}
    />
  )
}
