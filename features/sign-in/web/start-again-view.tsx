import { FORGOT_PASSWORD_HREF, signInHref } from '../links.ts'
import { HOME_PATH } from '../original-path.ts'
import styles from './sign-in.module.css'
import { SignInFrame } from './sign-in-frame.tsx'

const TEXTS = {
  expired: {
    title: 'はじめからやり直してください',
    text: 'サインインの有効時間が過ぎたか、別のタブでサインインを始めたため、この画面からは続けられません。',
  },
  'unknown-page': { title: 'ページが見つかりません', text: 'URLを確認してください。' },
  'invitation-expired': {
    title: 'この招待は使用できません',
    text: '招待の有効期限が切れているか、すでに使用されています。新しい招待は、招待した方にご依頼ください。パスワードを設定済みの場合は、そのままサインインできます。',
  },
  'reset-link-expired': {
    title: 'このリンクは使用できません',
    text: 'リンクの有効期限が切れているか、すでに使用されています。もう一度お手続きください。',
  },
  'change-expired': {
    title: 'このリンクは使用できません',
    text: 'リンクの有効期限が切れているか、変更がすでに反映されたか、取り消されています。お心当たりのない変更があったときは、すぐに管理者へご連絡ください。',
  },
  'first-admin-expired': {
    title: 'このリンクは使用できません',
    text: 'リンクの有効期限が切れているか、すでに使用されています。管理者がまだいないときは、サーバーで npm run first-admin を実行すると、新しいリンクを作成できます。',
  },
  'binding-expired': {
    title: '登録できませんでした',
    text: 'リンクの有効期限が切れているか、すでに使用されています。新しい招待は、招待した方にご依頼ください。登録済みの場合は、そのままサインインできます。',
  },
  'binding-not-finished': {
    title: '登録できませんでした',
    text: '会社のサインインが完了しませんでした。リンクをもう一度開いて、はじめからやり直してください。リンクはまだ使えます。',
  },
  failed: {
    title: '接続できません',
    text: 'サーバーに接続できませんでした。通信環境を確認して、もう一度お試しください。',
  },
  'link-expired': {
    title: 'このリンクは使用できません',
    text: 'リンクの有効期限が切れているか、すでに使用されています。',
  },
} as const

/**
 * The end of a flow, with one link to start again.
 * Tested by `e2e/sign-in.test.ts`.
 */
export function StartAgainView({ reason }: { reason: keyof typeof TEXTS }) {
  const { title, text } = TEXTS[reason]
  const { href, label } = wayOut(reason)
  return (
    <SignInFrame title={title}>
      <p>{text}</p>
      <a className={styles.submit} href={href}>
        {label}
      </a>
    </SignInFrame>
  )
}

function wayOut(reason: keyof typeof TEXTS): { href: string; label: string } {
  if (reason === 'reset-link-expired') return { href: FORGOT_PASSWORD_HREF, label: 'もう一度手続きする' }
  if (reason === 'invitation-expired') return { href: signInHref(), label: 'サインインする' }
  return { href: HOME_PATH, label: 'Publisher Center を開く' }
}
