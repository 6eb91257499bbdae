import type { RefusalData, RefusalTexts } from '../refusal-text.ts'

/** Refusals of an agreement that is being saved. */
export const AGREEMENT_INPUT_REFUSALS_JA = {
  'agreement/name-required': () => '契約名を入力してください（200文字以内）。',
  'agreement/code-required': () => '契約コードを入力してください（50文字以内）。',
  'agreement/code-taken': () => 'この契約コードはすでに使われています。別のコードを入力してください。',
  'agreement/notes-too-long': (data: RefusalData) => `備考は${data.max}文字以内で入力してください。`,
  'agreement/medium-unknown': () => '媒体を一覧から選択してください。',
  'agreement/organization-unknown': () => '組織を一覧から選択してください。',
  'agreement/medium-fixed': () => '契約の媒体は変更できません。新しい契約を作成してください。',
  'agreement/organization-fixed': () => '契約の組織は変更できません。新しい契約を作成してください。',
  'agreement/terminated-in-finalized-month': () =>
    '解約日を確定済みの月より前にすることはできません。確定済みの月以降の日付を入力してください。',
  'agreement/publisher-twice': (data: RefusalData) =>
    `パブリッシャー「${data.publisher}」は、同じ媒体の契約「${data.agreement}」の対象でもあります。同じ月に2つの契約で支払わないように、解約日を設定してください。`,
  'agreement/too-many-at-once': (data: RefusalData) => `一度に作成できる契約は1件から${data.max}件までです。`,
  'agreement/bank-account-unknown': () =>
    '口座が見つかりません。契約と同じ組織の、承認済みの口座を一覧から選択してください。',
  'agreement/bank-account-waiting': (data: RefusalData) =>
    `承認されたばかりの口座です。${data.year}年${data.month}月${data.date}日から設定できます。`,
  'agreement/bank-account-gone': () =>
    '口座の銀行または支店が、統合や廃止で無くなっています。新しい口座を登録し、承認された後に選択してください。',
  'agreement/bank-account-month-twice': () => '同じ利用開始月の口座が2件あります。利用開始月を変更してください。',
  'agreement/bank-account-month-finalized': () =>
    '確定済みの月の口座は変更できません。利用開始月を翌月以降にしてください。',
  'agreement/payee-kind-missing': () => '支払先の区分を選択してください。',
  'agreement/treaty-form-of-resident': () =>
    '租税条約の届出書は、支払先が「非居住者・外国法人」のときだけ登録できます。居住地を変更するか、届出書の欄を空欄にしてください。',
  'agreement/treaty-form-incomplete': () => '届出書の適用開始日と源泉徴収の税率を、両方入力してください。',
  'agreement/treaty-form-ends-early': () => '届出書の適用終了日を、適用開始日以降の日付にしてください。',
  'agreement/treaty-form-rate': (data: RefusalData) => `届出書の税率は、0%以上${data.max}%以下で入力してください。`,
  'agreement/law': (data: RefusalData) => `${data.text}（根拠：${data.source}）`,
} as const satisfies RefusalTexts
