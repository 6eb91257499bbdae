import type { RefusalTexts } from '../refusal-text.ts'

/** What is wrong with an imported file, one of its cells or rows, or its confirmation. */
export const IMPORT_REFUSALS_JA = {
  'spreadsheet/too-large': ({ maxMb }) =>
    `ファイルが大きすぎます（上限 ${maxMb} MB）。使っていない行・シート・画像を削除するか、ファイルを分けてください。`,
  'spreadsheet/unpacks-too-large': () =>
    'ファイルを展開すると大きくなりすぎるため、読み取れません。データだけを新しいブックに貼り付けて保存し直してください。',
  'spreadsheet/empty': () => 'ファイルにデータがありません。1行目に見出し、2行目からデータを入力してください。',
  'spreadsheet/encoding-unknown': () =>
    '文字コードを判別できません。UTF-8 か Shift_JIS（Windows-31J）のCSV、または Excel ブック（.xlsx）で保存し直してください。',
  'spreadsheet/quote-open': ({ row }) =>
    `${row}行目の引用符（"）が閉じられていません。引用符の対応を直すか、Excel ブック（.xlsx）で保存し直してください。`,
  'spreadsheet/old-or-locked': () =>
    '古い形式（.xls）か、パスワードが設定されたブックです。パスワードを外し、Excel ブック（.xlsx）で保存し直してください。',
  'spreadsheet/damaged': () =>
    'ファイルが壊れているか、Excel ブック（.xlsx）ではありません。表計算ソフトで開き、.xlsx か CSV で保存し直してください。',
  'spreadsheet/macros': () => 'マクロを含むブックは取り込めません。マクロを含まない .xlsx で保存し直してください。',
  'spreadsheet/declares-entities': () =>
    'ブックの中に使えない宣言（DOCTYPE）があります。表計算ソフトで開き、.xlsx で保存し直してください。',
  'spreadsheet/sheet-hidden': ({ name }) =>
    `シート「${name}」が非表示です。取り込むシートを表示してから保存し直してください。`,
  'spreadsheet/sheets-ambiguous': ({ names }) =>
    `取り込むシートを判別できません（${names}）。取り込むシートの名前を「データ」にするか、1枚だけにしてください。`,
  'spreadsheet/merged-cells': ({ range }) =>
    `結合されたセル（${range}）があります。結合を解除し、各行に値を入力してください。`,
  'spreadsheet/too-many-rows': ({ max }) => `行が多すぎます（上限 ${max}行）。ファイルを分けてください。`,
  'spreadsheet/too-many-columns': ({ max }) =>
    `列が多すぎます（上限 ${max}列）。テンプレートにない列を削除してください。`,
  'import/kind-unknown': () => '取り込みの種類が分かりません。画面で種類を選び直してください。',
  'import/columns-missing': ({ headers }) =>
    `見出し「${headers}」の列がありません。テンプレートの見出しをそのまま1行目に入れてください。`,
  'import/columns-unknown': ({ headers }) =>
    `テンプレートにない見出し「${headers}」があります。列を削除するか、見出しを直してください。`,
  'import/column-twice': ({ header }) => `見出し「${header}」の列が重複しています。片方を削除してください。`,
  'import/column-without-header': ({ column }) =>
    `${column}列に、見出しのない値があります。見出しを付けるか、列を削除してください。`,
  'import/formula': () => '数式が入っています。値に置き換えてください（コピーして「値の貼り付け」）。',
  'import/cell-error': () => 'セルがエラー（#N/A など）になっています。値を入力し直してください。',
  'import/date-in-text': () =>
    '日付として入力されています。セルの書式を「文字列」にしてから、値を入力し直してください。',
  'import/required': ({ header }) => `「${header}」を入力してください。`,
  'import/too-long': ({ max }) => `長すぎます（上限 ${max}文字）。短くしてください。`,
  'import/whole-number': () => '整数で入力してください（例：12000）。',
  'import/number-too-large': () => '数値が大きすぎます。桁を確認してください。',
  'import/percent': () => '0〜100の数値（小数は2桁まで）で入力してください（例：37.5）。',
  'import/day': () => '日付を 2026-04-01 の形式で入力してください。',
  'import/month': () => '年月を 2026-04 の形式で、2099-12 までで入力してください。',
  'import/choice': ({ choices }) => `${choices} のいずれかを入力してください。`,
  'import/id': () => 'IDは、ダウンロードしたファイルのままにするか、空にしてください。',
  'import/id-unknown': ({ id }) =>
    `ID ${id} はありません。新しく登録するときはIDを空にし、変更するときは最新のデータをダウンロードし直してください。`,
  'import/row-twice': ({ row }) => `${row}行目と同じものを指しています。どちらかの行を削除してください。`,
  'import/ambiguous': ({ ids }) => `同じものが複数あります（ID ${ids}）。どれかをIDの列で指定してください。`,
  'import/reference-unknown': ({ noun, value, remedy }) => `${noun}「${value}」がありません。${remedy}`,
  'import/reference-ambiguous': ({ noun, value, ids }) =>
    `${noun}「${value}」は複数あります（ID ${ids}）。${noun}IDで指定してください。`,
  'import/code-ambiguous': ({ value, ids }) =>
    `契約「${value}」は複数あります（ID ${ids}）。どちらかの契約コードを変更してから取り込んでください。`,
  'import/reference-differs': ({ noun, name }) =>
    `${noun}IDの${noun}は「${name}」です。${noun}IDか名前のどちらかを直してください。`,
  'import/unique-taken': ({ row }) => `${row}行目と同じ値です。重複しない値にしてください。`,
  'import/with-refused': ({ row }) =>
    `同じものの${row}行目に誤りがあるため、取り込めません。${row}行目を直してください。`,
  'import/first-month-fixed': () =>
    '登録済みの契約の適用開始月は、ここでは変更できません。「契約条件」の取り込みで変更してください。',
  'import/organization-fixed': () =>
    'ユーザーの組織は変更できません。組織名を元に戻すか、新しいメールアドレスで招待してください。',
  'import/account-fixed': () =>
    '登録済みの口座は変更できません。元の値に戻すか、新しい口座として別の番号で登録してください。',
  'import/role-unknown': ({ role }) =>
    `ロール「${role}」がありません。ロールの名前を「、」で区切って入力してください。`,
  'import/own-upload': () =>
    '自分が送信した口座は確定できません。ほかの承認者に、この画面の一覧から確定を依頼してください。',
  'import/already-confirmed': () => '確定済みの取り込みは破棄できません。一覧を再読み込みしてください。',
  'import/not-found': () => 'この取り込みはありません。ファイルを選び直してください。',
  'import/too-many-invitations': () =>
    '招待メールは1時間に送信できる数が決まっているため、何も取り込んでいません。招待を「後から送る」にして確定してください。',
  'import/too-old': () =>
    'プレビューの期限（24時間）が過ぎています。ファイルを選び直して、もう一度内容を確認してください。',
  'import/changed-since': () =>
    'プレビューの後に登録内容が変わりました。新しいプレビューを確認してから、取り込んでください。',
  'import/nothing-to-do': () => '取り込む行がありません。新規か変更の行があるファイルを選んでください。',
  'import/has-refused': ({ count }) =>
    `取り込めない行が${count}行あります。直してから送信するか、「取り込めない行を除く」を選んでください。`,
} as const satisfies RefusalTexts
