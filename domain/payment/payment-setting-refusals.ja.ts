import type { RefusalTexts } from '../refusal-text.ts'

export const PAYMENT_SETTING_REFUSALS_JA = {
  'payment-setting/month-finalized': data =>
    `${data.month}までの月が確定しています。適用開始月は${data.earliest}以降を指定してください。`,
  'payment-setting/returns-begun': data => `${data.first}分からこの計算方法で確定した月があるため、変更できません。`,
  'payment-setting/first-line': () => '最初の行は削除できません。新しい適用開始月の行を追加してください。',
  'payment-setting/second-person-begun': data =>
    `すでに始まっている月の二者確認は不要にできません（確定できる人がほかにいます）。適用開始月は${data.earliest}以降を指定してください。`,
  'payment-setting/line-in-use': () =>
    'すでに適用が始まっている行は削除できません。新しい適用開始の行を追加してください。',
  'payment-setting/month-past': data => `適用開始月は${data.earliest}以降を指定してください。`,
  'payment-setting/day-past': () => '適用開始日は今日以降を指定してください。',
  'payment-setting/client-code-invalid': () => '委託者コードは10桁以内の数字で入力してください。',
  'payment-setting/bank-unknown': data =>
    `銀行コード${data.bankCode}・支店コード${data.branchCode}の支店が見つかりません。コードを確認してください。`,
  'payment-setting/account-number-invalid': () =>
    '口座番号は7桁の数字で入力してください（7桁に満たない場合は先頭に0）。',
  'payment-setting/client-name-missing': () => '委託者名を半角カナで40文字以内で入力してください。',
  'payment-setting/not-in-bank-file': data =>
    `振込データに使えない文字（${data.characters}）があります。カナ・英数字と記号 ( ) - . を使ってください。`,
  'payment-setting/not-a-sign': data =>
    `追加の記号には、半角の記号だけを入力できます（使えない文字：${data.characters}）。`,
  'payment-setting/transfer-limit-out-of-range': () =>
    '1件あたりの振込限度額は1,000,000円から9,999,999,999円までの整数で入力してください。',
  'payment-setting/result-marks-invalid': () =>
    '結果コードは、位置（1〜7文字目）と長さが7文字に収まるようにし、振込済みと組戻しの結果コードを、その長さで重ならないように入力してください。',
  'payment-setting/rate-out-of-range': () => '0%から100%までの率を入力してください。',
  'payment-setting/account-name-missing': data =>
    `「${data.account}」の科目名を入力してください。科目名、補助科目、部門は、それぞれ50文字以内です。`,
  'payment-setting/not-found': () => '対象の行が見つかりません。画面を再読み込みしてください。',
  'payment-setting/percent-out-of-range': () => '0から100までの整数を入力してください。',
  'payment-setting/tax-period-month': () => '課税期間の開始月は、1月から12月までのいずれかを選んでください。',
  'payment-setting/amount-negative': () => '0円以上の金額を入力してください。',
  'payment-setting/amount-too-large': () => '金額が大きすぎます。1兆円以下で、桁を確認してください。',
  'payment-setting/bank-code-invalid': () => '銀行コードは4桁の数字で入力してください。',
  'payment-setting/fee-day-past': () => '手数料の適用開始日は今日以降を指定してください。',
  'payment-setting/fee-line-missing': data =>
    `${data.destination}の手数料に、0円から始まる行がありません。0円からの手数料を入力してください。`,
  'payment-setting/fee-line-twice': data =>
    `${data.destination}の手数料に、同じ金額から始まる行が2つあります。片方を削除してください。`,
  'payment-setting/file-unreadable': () => 'ファイルを読み込めませんでした。内閣府のCSVファイルを選択してください。',
} as const satisfies RefusalTexts
