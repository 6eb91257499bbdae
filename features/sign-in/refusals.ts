import type { Refusal } from '@pc/domain/refusal.ts'

/** Refusal codes of the sign-in endpoints with their Japanese texts. `{name}` is replaced by a value of `data`. */
export const SIGN_IN_MESSAGES = {
  'sign-in/wrong-credentials': 'メールアドレスまたはパスワードが違います。入力内容を確認してください。',
  'sign-in/too-many-attempts': '試行回数が上限に達しました。{minutes}分ほど待ってから、もう一度お試しください。',
  'sign-in/request-expired': 'サインインの有効時間が過ぎました。はじめからやり直してください。',
  'sign-in/not-signed-in': 'サインインしていません。サインインしてから、もう一度操作してください。',
  'sign-in/current-password-wrong': '現在のパスワードが違います。',
  'sign-in/password-too-short': 'パスワードは{min}文字以上で入力してください。',
  'sign-in/password-too-long': 'パスワードは{max}文字以内で入力してください。',
  'sign-in/password-too-simple': '推測されやすいパスワードです。別のパスワードにしてください。',
  'sign-in/password-unchanged': '現在のパスワードと異なるパスワードを入力してください。',
  'sign-in/email-required': 'メールアドレスを入力してください。',
  'sign-in/password-required': 'パスワードを入力してください。',
  'sign-in/email-invalid': 'メールアドレスの形式が正しくありません。例：taro@example.jp',
  'sign-in/email-unchanged': '現在と異なるメールアドレスを入力してください。',
  'sign-in/email-taken': 'このメールアドレスは使用できません。',
  'sign-in/link-expired': 'リンクの有効期限が切れているか、すでに使用されています。',
  'sign-in/account-in-use':
    'この会社のアカウントは、すでに Publisher Center の別のユーザーとして登録されています。別のアカウントでサインインするか、管理者にお問い合わせください。',
  'sign-in/not-registered': 'この会社のアカウントは、Publisher Center に登録されていません。',
  'sign-in/disabled': 'このユーザーは無効になっています。',
  'sign-in/signed-out': 'サインインは終了しています。もう一度サインインしてください。',
  'sign-in/second-factor-missing':
    'お使いのロールでは、会社のアカウントの2段階認証（多要素認証）を使ったサインインが必要です。',
  'sign-in/token-refused': '会社のサインインの結果を確認できませんでした。',
  'sign-in/not-here': 'この操作は、会社のアカウント管理画面で行ってください。',
  'sign-in/code-required': 'コードを入力してください。',
  'sign-in/code-wrong': 'コードが違うか、すでに使用されています。新しいコードを入力してください。',
  'sign-in/code-unreadable':
    '認証アプリの設定を読み取れないため、コードを確認できません。リカバリーコードを入力するか、システムの担当者に「設定 SECRETS_KEY を確認してください」とお伝えください。',
  'sign-in/no-secrets-key':
    '認証アプリの設定を安全に保管する準備ができていないため、登録できません。システムの担当者に「設定 SECRETS_KEY が必要です」とお伝えください。',
  'sign-in/passkey-wrong':
    'このパスキーは使えません。アカウントから削除された可能性があります。パスワードや認証アプリのコードなど、別の方法を使ってください。',
  'sign-in/passkey-closed':
    'パスキーの確認が完了しませんでした。もう一度お試しください。この端末に使えるパスキーがないときは、パスワードなど別の方法を使ってください。',
  'sign-in/passkey-not-added':
    'パスキーを追加できませんでした。もう一度お試しください。端末の確認が取り消されたか、この端末のパスキーがすでに登録されているか、上限の10個に達しています。',
  'sign-in/passkeys-need-host':
    'パスキーを使うには、IPアドレスではなくホスト名（例：https://center.example.jp）で公開する必要があります。',
  'sign-in/step-up-needed': '安全のため、もう一度本人確認を行ってください。',
  'sign-in/bad-request': '送信内容を読み取れませんでした。ページを再読み込みしてください。',
  'sign-in/not-reached': '通信できませんでした。接続を確認して、もう一度お試しください。',
  'sign-in/fault': 'サーバーで問題が発生しました。時間をおいて、もう一度お試しください。',
} as const

export type SignInRefusalCode = keyof typeof SIGN_IN_MESSAGES
export type SignInRefusal = Refusal<SignInRefusalCode>

export function signInMessage(refusal: Pick<SignInRefusal, 'code' | 'data'>): string {
  return SIGN_IN_MESSAGES[refusal.code].replace(/\{(\w+)\}/g, (_, name: string) => String(refusal.data[name] ?? ''))
}

/** What a new password must fulfil: length and not being guessable; no rules of composition (NIST SP 800-63B). */
export const PASSWORD_MIN_LENGTH = 10
export const PASSWORD_MAX_LENGTH = 128
