import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

/** Refusals about people, organisations, invitations and impersonation. */
export const USER_REFUSALS_JA = {
  'user/email-invalid': () => 'メールアドレスの形式が正しくありません。例：taro@example.jp',
  'user/email-taken': () => 'このメールアドレスはすでに登録されています。',
  'user/email-unchanged': () => '現在と異なるメールアドレスを入力してください。',
  'user/email-elsewhere': () => 'このユーザーのメールアドレスは、会社のアカウント管理画面で変更してください。',
  'user/roles-required': () => 'ロールを1つ以上選んでください。',
  'user/role-not-allowed': (data: RefusalData) =>
    `ロール「${data.role}」を付与または解除する権限がありません。選び直してください。`,
  'user/role-needs-organization': () => 'パブリッシャーのロールを付与するには、組織を選んでください。',
  'user/rank-too-high': () => '自分より上位の権限を持つユーザーは変更できません。全体管理者にご依頼ください。',
  'user/last-administrator': () => '最後の全体管理者です。先に、ほかのユーザーに全体管理者のロールを付与してください。',
  'user/last-organization-administrator': () => '組織で最後の管理者です。先に、ほかのユーザーを管理者にしてください。',
  'user/no-second-factor': () => 'このユーザーには、2段階認証が設定されていません。',
  'user/own-second-factor': () => 'ご自身の2段階認証は、アカウントメニューの「セキュリティ」で変更してください。',
  'second-factor-rule/own-missing': () =>
    'この設定を変更する前に、ご自身の2段階認証を設定してください（会社のアカウントの場合は、2段階認証を使ってサインインしてください）。',
  'second-factor-rule/not-said': () =>
    'お使いの会社のサインインは、2段階認証を使ったかどうかを知らせません。この設定を変更する代わりに、認証基盤の側で多要素認証を必須にしてください。',
  'second-factor-rule/grace-out-of-range': (data: RefusalData) =>
    `猶予期間は0日以上${data.max}日以内で入力してください。`,
  'user/not-oneself': () => '自分自身を無効化または削除することはできません。ほかの管理者にご依頼ください。',
  'user/own-money-role': () => 'お金にかかわるロールは、自分自身には付与できません。ほかの管理者にご依頼ください。',
  'user/has-records': () => 'このユーザーの操作の記録が残っているため、削除できません。代わりに無効化してください。',
  'user/agreement-not-found': () => '選んだ契約が組織に見つかりません。一覧から選び直してください。',
  'user/agreements-need-editor': () =>
    '契約を割り当てられるのは、パブリッシャーの担当者だけです。ロールをご確認ください。',
  'user/already-active': () =>
    'このユーザーはすでに招待を受け入れています。パスワードを忘れた場合は、サインイン画面から再設定できます。',
  'user/disabled': () => '無効なユーザーです。先に有効にしてください。',
  'user/change-pending': () =>
    'このユーザーには、確認を待っている変更があります。取り消してから、もう一度お試しください。',
  'user/own-email': () => 'ご自身のメールアドレスは、アカウントメニューの「メールアドレスの変更」で変更してください。',
  'user/own-invitation': () => 'ご自身の会社のアカウントの切り替えは、ほかの管理者にご依頼ください。',
  'account-change/not-pending': () =>
    'この変更は、確認を待っていません。反映済みか、取り消されたか、期限が切れています。画面を再読み込みしてください。',
  'account-change/new-email-unconfirmed': () =>
    '新しいメールアドレスがまだ確認されていません。そのメールアドレスに届いたメールのリンクをご本人に開いてもらってから、承認してください。',
  'account-change/own-request': () => '自分が依頼した変更は承認できません。ほかの管理者にご依頼ください。',
  'account-change/own-account': () =>
    'ご自身のアカウントの変更は、届いたメールのリンクか、アカウントメニューの「セキュリティ」で承認してください。',
  'account-change/new-administrator': (data: RefusalData) =>
    `管理者のロールを付与されてから${data.days}日が過ぎるまでは、承認できません。ほかの管理者にご依頼ください。`,
  'account-change/new-requester': (data: RefusalData) =>
    `依頼した人が管理者になってから${data.days}日が過ぎていないか、管理者ではなくなっているため、承認できません。取り消して、ほかの管理者が依頼し直してください。`,
  'mail/too-many': (data: RefusalData) =>
    `1時間に送信できるメールは${data.max}通までです。しばらく待ってから、もう一度お試しください。`,
  'organization/not-found': () => '組織が見つかりません。一覧から選び直してください。',
  'organization/name-required': (data: RefusalData) => `組織名を1文字以上${data.max}文字以内で入力してください。`,
  'organization/postal-code-invalid': () =>
    '郵便番号は7桁の数字で入力してください。例：100-0001。国外の住所のときは空欄にします。',
  'organization/address-too-long': (data: RefusalData) => `住所は${data.max}文字以内で入力してください。`,
  'organization/address-missing': () => '郵便番号だけでなく、住所も入力してください。',
  'organization/name-taken': (data: RefusalData) =>
    `同じ名前の組織「${data.name}」（ID ${data.ids}）が登録されています。同じ会社の場合は、登録済みの組織をお使いください。`,
  'organization/in-use': (data: RefusalData) =>
    `この組織にはユーザー${data.users}人、契約${data.agreements}件、パブリッシャー${data.publishers}件が登録されています。すべて移動または削除してから、組織を削除してください。`,
  'organization/has-records': () => 'この組織の支払などの記録が残っているため、削除できません。',
  'view-as/reason-required': (data: RefusalData) =>
    `表示する理由を${data.min}文字以上${data.max}文字以内で入力してください。記録に残ります。`,
  'view-as/not-a-publisher': () =>
    '表示できるのは、有効なパブリッシャーのユーザーだけです。ユーザーを選び直してください。',
  'view-as/already-started': () => 'すでにほかのユーザーとして表示しています。終了してから、もう一度お試しください。',
  'view-as/not-started': () => 'ほかのユーザーとしての表示は、すでに終了しています。',
  'download/not-noted': () => 'ダウンロードを記録できませんでした。ファイル名を短くして、もう一度お試しください。',
  'access/action-unknown': () => '操作の名前が正しくありません。例：read:list',
  'access/row-not-explained': () =>
    'この種類のデータは、1件ずつの説明に対応していません。IDを空にして、もう一度お試しください。',
  'access/resource-unknown': () => 'リソースの名前が正しくありません。例：insight:agreement.',
} as const satisfies RefusalTexts
