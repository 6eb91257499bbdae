import type { IssuerRefusal } from '@pc/domain/access/issuer-refusal.ts'
import { HOME_PATH } from '../original-path.ts'
import { type ExternalProvider, signInAtProvider } from './external-client.ts'
import { LeaveButton, useLeaving } from './external-sign-in.tsx'
import { FormAlert, SignInFrame } from './sign-in-frame.tsx'
import { SupportContact } from './support-contact.tsx'

/** `provider`: the issuer's screen ended without a token. `token-refused`: any other reason, which only the log contains. */
type Reason = IssuerRefusal | 'token-refused' | 'provider'
const TEXTS: Readonly<Record<Reason, { readonly title: string; readonly text: string }>> = {
  'not-registered': {
    title: 'このアカウントは登録されていません',
    text: '会社のサインインはできましたが、このアカウントは Publisher Center に登録されていません。招待メールのリンクを開いて登録してください。届いていないとき、期限が切れているときは、管理者に招待の再送を依頼してください。',
  },
  disabled: {
    title: 'このユーザーは無効になっています',
    text: '利用を再開するには、管理者にご連絡ください。',
  },
  'signed-out': {
    title: 'サインインは終了しています',
    text: 'このサインインは、管理者の操作またはサインアウトで終了しました。もう一度サインインしてください。',
  },
  'second-factor-missing': {
    title: '2段階認証が必要です',
    text: 'お使いのロールでは、会社のアカウントの2段階認証（多要素認証）を使ったサインインが必要です。会社のアカウントに2段階認証を設定してから、サインインし直してください。設定方法は、会社のアカウントの管理者にお問い合わせください。',
  },
  'token-refused': {
    title: 'サインインを確認できませんでした',
    text: '会社のサインインの結果を確認できませんでした。システムの担当者に「ログの OIDC_ISSUER の行に理由があります」とお伝えください。',
  },
  provider: {
    title: 'サインインが完了しませんでした',
    text: '会社のサインイン画面で、サインインが取り消されたか、許可されませんでした。もう一度お試しください。',
  },
}

const isReason = (text: string): text is Reason => Object.hasOwn(TEXTS, text)

/**
 * Says why this account may not sign in and what helps, instead of redirecting forever between console and provider.
 * Tested by `e2e/external-issuer.test.ts`.
 */
export function RefusedView(props: { provider: ExternalProvider; reason: string; supportContact: string | undefined }) {
  const { provider, reason, supportContact } = props
  const leaving = useLeaving(async () => void (await signInAtProvider(provider, HOME_PATH, 'sign-in-again')))
  const { title, text } = TEXTS[isReason(reason) ? reason : 'token-refused']
  return (
    <SignInFrame title={title} below={<SupportContact contact={supportContact} />}>
      <p>{text}</p>
      <FormAlert text={leaving.problem} />
      <LeaveButton leaving={leaving} label="別のアカウントでサインインする" />
    </SignInFrame>
  )
}
