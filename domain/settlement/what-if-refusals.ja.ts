import { jobName } from '../payment/job-text.ts'
import type { RefusalTexts } from '../refusal-text.ts'

export const WHAT_IF_REFUSALS_JA = {
  'what-if/name-missing': () => '試算の名前を入力してください。',
  'what-if/name-too-long': data => `試算の名前は${data.max}文字以内で入力してください。`,
  'what-if/agreement-unknown': data =>
    `契約${data.agreementId}は、この媒体・月の計算に含まれていません。試算の条件から外してください。`,
  'what-if/pool-unknown': data =>
    `分配の${jobName(data.dividendId)}は、この月の計算に含まれていません。試算の条件から外してください。`,
} as const satisfies RefusalTexts
