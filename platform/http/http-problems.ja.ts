type Data = Readonly<Record<string, string | number>>

/** Messages for refused requests by a stable code; each says what to do. */
const HTTP_PROBLEMS_JA = {
  'method-not-allowed': ({ allowed }: Data) => `このURLへは ${allowed} で送信してください。`,
  'not-found': () => 'ページが見つかりません。URLを確認してください。',
  'query-address': () => 'ページが見つかりません。GraphQL のクエリは /query へ POST で送信してください。',
  'origin-not-allowed': () =>
    'このサイトのページからは呼び出せません。画面の再読み込みを行うか、プログラム（サーバー側）から呼び出してください。',
  'body-too-large': ({ max }: Data) =>
    `送信内容が大きすぎます（上限 ${max} バイト）。件数を減らすか、分けて送信してください。`,
  'body-compressed': () => '圧縮した内容は受け付けません。Content-Encoding を付けず、圧縮せずに送信してください。',
  'body-not-utf8': () => '送信内容がUTF-8ではありません。UTF-8で送信してください。',
  'body-not-json': () => '送信内容をJSONとして読み取れません。引用符・カンマ・括弧の対応を確認してください。',
  'body-too-deep': ({ max }: Data) =>
    `送信内容の入れ子が深すぎます（上限 ${max} 段）。入れ子を減らして送信してください。`,
  'body-too-many-items': ({ max }: Data) =>
    `1つの配列やオブジェクトの要素が多すぎます（上限 ${max} 個）。分けて送信してください。`,
  'body-not-object': () => '送信内容は、{ } で囲んだJSONのオブジェクトにしてください。',
  'content-type-not-json': () => 'Content-Type を application/json（UTF-8）にして送信してください。',
  'answer-not-acceptable': () =>
    'Accept に application/json か application/graphql-response+json を含めて送信してください。',
  'batch-not-accepted': () => '1回の送信では1つのクエリだけを受け付けます。配列にせず、分けて送信してください。',
  'query-missing': () => '"query" に、クエリの文字列を入れて送信してください。',
  'query-has-nul': () => '"query" には文字コード0の文字（\\u0000）を使えません。取り除いて送信してください。',
  'operation-name-not-text': () => '"operationName" は文字列にしてください。',
  'variables-not-object': () => '"variables" は { } で囲んだオブジェクトにしてください。',
  'extensions-not-object': () => '"extensions" は { } で囲んだオブジェクトにしてください。',
  'format-unknown': ({ formats }: Data) => `"format" は ${formats} のいずれかにしてください。`,
  'path-not-screen': () => '"path" は画面のパスにしてください。',
  'document-id-wrong': () => '"id" は書類のIDにしてください。',
  'upload-used': () => 'この送信先は使用済みです。ファイルを選び直して、新しい送信先へ送信してください。',
  'upload-expired': () =>
    'この送信先の有効期限が切れているか、URLが正しくありません。ファイルを選び直して、もう一度送信してください。',
  'upload-type': ({ type }: Data) => `この送信先は Content-Type が ${type} のファイルだけを受け付けます。`,
  'upload-length-missing': () => 'Content-Length を付けて送信してください。',
  'upload-too-large': ({ max }: Data) => `ファイルが大きすぎます（上限 ${max} バイト）。小さくして送信してください。`,
  'upload-size-differs': () =>
    'ファイルの大きさが、はじめに申請したものと違います。ファイルを選び直して送信してください。',
  'no-space': () => '保存先の空き容量がありません。しばらくしてからもう一度お試しください。',
  'no-scan': () => 'ファイルの検査ができません。しばらくしてからもう一度お試しください。',
  busy: () => 'アクセスが集中しています。Retry-After の秒数だけ待ってから、もう一度送信してください。',
  'too-many-of-caller': () =>
    '同時に送信された要求が多すぎます。Retry-After の秒数だけ待ち、同時に送る数を減らしてください。',
  'too-many-of-key': ({ burst, perMinute }: Data) =>
    `このAPIキーの要求が多すぎます（続けて${burst}件、その後は1分に${perMinute}件まで）。Retry-After の秒数だけ待ってから送信してください。`,
  'not-available': ({ requestId }: Data) =>
    `一時的に利用できません。少し待ってから、もう一度送信してください。（受付番号：${requestId}）`,
  'timed-out': ({ requestId }: Data) =>
    `時間内に処理が終わりませんでした。期間や件数を減らすか、時間をおいて送信してください。（受付番号：${requestId}）`,
  fault: ({ requestId }: Data) =>
    `処理中に問題が発生しました。時間をおいてもう一度お試しください。続くときは、受付番号を添えてお問い合わせください。（受付番号：${requestId}）`,
} as const satisfies Readonly<Record<string, (data: Data) => string>>

export type HttpProblemCode = keyof typeof HTTP_PROBLEMS_JA

export function httpProblemJa(code: HttpProblemCode, data: Data = {}): string {
  return HTTP_PROBLEMS_JA[code](data)
}
