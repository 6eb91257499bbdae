import type { RefusalCode } from '@pc/domain/refusal-messages.ja.ts'
import type { SignInRefusalCode } from '@pc/features/sign-in/refusals.ts'
import type { HttpProblemCode } from '@pc/platform/http/http-problems.ja.ts'

const REPORT_IT = '計算し直しても表示されるときは、確定せずにシステム管理者へ連絡してください。'
const REGISTER_AGAIN = '「取り消し（リセット）」でその媒体の調整を取り消し、正しい内容で登録し直してください。'
const ASK_THE_BANK =
  '何も登録していません。銀行から受け取ったファイルか確かめ、違いがあるときは銀行に確認してください。'

/** What to do about messages that do not say it themselves, as Markdown. */
export const REMEDIES: Readonly<Partial<Record<RefusalCode | SignInRefusalCode | HttpProblemCode, string>>> = {
  fault:
    '受付番号を控えて、運営の担当者へ連絡してください。番号から原因を調べられます。送信の途中だったときは、保存されたかを一覧で確かめてから、もう一度操作してください。',
  'timed-out': '期間を短くするか、媒体やパブリッシャーで絞り込んでください。',

  'record/edited-by-other':
    '入力した内容は残っています。最新の内容との違いが項目ごとに表示されるので、どちらにするかを選んで保存してください。',
  'state/transition-not-allowed': 'ほかの人が先に操作した可能性があります。',

  'sign-in/current-password-wrong':
    '忘れたときは、サインアウトして、サインイン画面の「パスワードを忘れた場合」から再設定してください。',
  'sign-in/email-taken': '別のメールアドレスを入力してください。ご自分のものであれば、管理者に問い合わせてください。',
  'sign-in/link-expired':
    '招待は、招待した方に再送を依頼してください。パスワードの再設定は、「パスワードを忘れた場合」からもう一度行ってください。',
  'sign-in/not-registered':
    '招待メールのリンクを開いて登録してください。招待が届いていないときは、管理者に依頼してください。',
  'sign-in/disabled': '利用を再開するには、管理者に連絡してください。',
  'sign-in/second-factor-missing': '会社のアカウントに2段階認証を設定してから、サインインし直してください。',
  'sign-in/token-refused': 'もう一度お試しください。続くときは、システムの担当者に連絡してください。',
  'sign-in/step-up-needed':
    '口座や支払などの大切な操作の前に表示されます。パスキー、またはパスワードとコードで確認してください。',
  'sign-in/code-wrong':
    '認証アプリの端末の時刻がずれていると、正しいコードでも違うと表示されます。端末の時刻を自動設定にしてください。',

  'user/email-taken': 'ユーザーの一覧で、そのメールアドレスを探してください。無効のときは、有効にすると使えます。',
  'user/has-records': '無効化すると、次の操作から何もできなくなります。',
  'organization/has-records': '使わなくなった組織も、そのままにしてください。',

  'agreement/law':
    '「…」には、取適法、フリーランス法、消費税法に反する点と直し方が表示されます。法令の根拠は契約の画面で読めます。',

  'payment/agreement-twice': REPORT_IT,
  'payment/publisher-twice': REPORT_IT,
  'payment/adjustment-twice': REPORT_IT,
  'payment/job-twice': REPORT_IT,
  'payment/pool-weight-twice': REPORT_IT,
  'payment/month-before-carry': REPORT_IT,
  'payment/amount-negative': '「契約」の画面で金額を直し、計算し直してください。',
  'payment/rate-out-of-range': '「パブリッシャー」の画面で契約条件の支払率を直し、計算し直してください。',
  'payment/adjustment-without-rule': `契約条件が後から外された可能性があります。契約条件を戻すか、${REGISTER_AGAIN}`,
  'payment/discard-negative': REGISTER_AGAIN,
  'payment/pool-negative': REGISTER_AGAIN,
  'payment/pool-weight-negative': REGISTER_AGAIN,
  'payment/invariant-violated': `「計算し直す」を押してください。${REPORT_IT}`,
  'payment/second-person-needed':
    '準備した人は、その月を確定できません（二者確認）。確定できる人が1人だけのときは、「支払設定」の「支払の基準」で二者確認を不要にします。',
  'payment/check-red': '直し方は、項目ごとに[確認項目を解消する](first-close.md#2-確認項目を解消する)にあります。',
  'dividend/csv-empty': '見出しの下に、調整する行を入力してください。',

  'statement/nothing-paid': '支払額が0円の月には、支払通知書を発行しません。対応は不要です。',
  'statement/total-differs': REPORT_IT,
  'statement/not-yet-deemed': '期限を待つか、支払先に確認を依頼してください。',
  'statement/only-payee': 'パブリッシャーの管理者の方に依頼してください。',
  'statement/only-payer': '運営の経理の方に依頼してください。',

  'transfer/payment-twice': '一覧を再読み込みして、支払を選び直してください。',
  'transfer/account-unknown': '「口座」で銀行と支店を確かめ、別の口座を契約に設定してください。',
  'transfer/fee-unknown': '料金表は、「支払設定」の「料金表を登録する」で登録します。',
  'bank/file-empty': '一覧を再読み込みして、支払を選び直してください。',
  'bank/code-wrong': '「支払設定」の「振込元の口座」と、振込先の口座を確かめてください。',
  'bank/record-order-wrong': ASK_THE_BANK,
  'bank/result-transfer-twice': ASK_THE_BANK,
  'bank/result-amount-differs': ASK_THE_BANK,
  'bank/result-account-differs': ASK_THE_BANK,
  'holiday-calendar/day-twice': '内閣府の「国民の祝日」CSVを取得し直し、そのまま取り込んでください。',
}
