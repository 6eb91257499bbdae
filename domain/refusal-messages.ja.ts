import { ROLE_REFUSALS_JA } from './access/role-refusals.ja.ts'
import { USER_REFUSALS_JA } from './access/user-refusals.ja.ts'
import { AGREEMENT_INPUT_REFUSALS_JA } from './agreement/agreement-input-refusals.ja.ts'
import { AGREEMENT_REFUSALS_JA } from './agreement/agreement-refusals.ja.ts'
import { CONTRACT_DOCUMENT_REFUSALS_JA } from './agreement/contract-document-refusals.ja.ts'
import { REGISTER_FILE_REFUSALS_JA } from './agreement/register-file-refusals.ja.ts'
import { ANNOTATION_REFUSALS_JA } from './annotation/annotation-refusals.ja.ts'
import { ANNOUNCEMENT_REFUSALS_JA } from './announcement/announcement-refusals.ja.ts'
import { API_KEY_REFUSALS_JA } from './api-key/api-key-refusals.ja.ts'
import { ARTICLE_REFUSALS_JA } from './article/article-refusals.ja.ts'
import { BANK_ACCOUNT_REFUSALS_JA } from './bank/bank-account-refusals.ja.ts'
import { BANK_REFUSALS_JA } from './bank/bank-refusals.ja.ts'
import { BOARD_REFUSALS_JA } from './board/board-refusals.ja.ts'
import { FEED_REFUSALS_JA } from './feed/feed-refusals.ja.ts'
import { IMPORT_REFUSALS_JA } from './imports/import-refusals.ja.ts'
import { INGEST_REFUSALS_JA } from './ingest/ingest-refusals.ja.ts'
import { LIST_REFUSALS_JA } from './list/list-refusals.ja.ts'
import { MEDIUM_REFUSALS_JA } from './medium/medium-refusals.ja.ts'
import { HOLIDAY_CALENDAR_REFUSALS_JA } from './month/holiday-calendar-refusals.ja.ts'
import { MONTH_REFUSALS_JA } from './month/month-refusals.ja.ts'
import { CLOSE_REFUSALS_JA } from './payment/close-refusals.ja.ts'
import { PAYMENT_REFUSALS_JA } from './payment/payment-refusals.ja.ts'
import { PAYMENT_SETTING_REFUSALS_JA } from './payment/payment-setting-refusals.ja.ts'
import { PREFERENCE_REFUSALS_JA } from './preference/preference-refusals.ja.ts'
import { PUBLISHER_REFUSALS_JA } from './publisher/publisher-refusals.ja.ts'
import { QUESTION_REFUSALS_JA } from './question/question-refusals.ja.ts'
import { RECORD_REFUSALS_JA } from './record/record-refusals.ja.ts'
import type { Refusal } from './refusal.ts'
import type { RefusalData, RefusalTexts } from './refusal-text.ts'
import { REPORT_EMAIL_REFUSALS_JA } from './report/report-email-refusals.ja.ts'
import { REPORT_REFUSALS_JA } from './report/report-refusals.ja.ts'
import { LEGAL_HOLD_REFUSALS_JA } from './retention/legal-hold-refusals.ja.ts'
import { OPENING_BALANCE_REFUSALS_JA } from './settlement/opening-balance-refusals.ja.ts'
import { WHAT_IF_REFUSALS_JA } from './settlement/what-if-refusals.ja.ts'
import { NAME_REFUSALS_JA } from './text/name-refusals.ja.ts'
import { TRANSFER_ACTION_REFUSALS_JA } from './transfer/transfer-refusals.ja.ts'
import { WEBHOOK_REFUSALS_JA } from './webhook/webhook-refusals.ja.ts'

/**
 * The Japanese text of every refusal: one dictionary per noun (`domain/<noun>/…-refusals.ja.ts`), one line for each
 * here. Where a refusal leaves the system (`platform/graphql/refusal-error.ts`), a code without a text does not
 * compile.
 */
export const REFUSAL_MESSAGES_JA = {
  ...AGREEMENT_INPUT_REFUSALS_JA,
  ...AGREEMENT_REFUSALS_JA,
  ...CONTRACT_DOCUMENT_REFUSALS_JA,
  ...BANK_ACCOUNT_REFUSALS_JA,
  ...BANK_REFUSALS_JA,
  ...MONTH_REFUSALS_JA,
  ...PUBLISHER_REFUSALS_JA,
  ...API_KEY_REFUSALS_JA,
  ...ANNOTATION_REFUSALS_JA,
  ...ANNOUNCEMENT_REFUSALS_JA,
  ...ARTICLE_REFUSALS_JA,
  ...BOARD_REFUSALS_JA,
  ...FEED_REFUSALS_JA,
  ...CLOSE_REFUSALS_JA,
  ...HOLIDAY_CALENDAR_REFUSALS_JA,
  ...IMPORT_REFUSALS_JA,
  ...INGEST_REFUSALS_JA,
  ...LEGAL_HOLD_REFUSALS_JA,
  ...LIST_REFUSALS_JA,
  ...MEDIUM_REFUSALS_JA,
  ...NAME_REFUSALS_JA,
  ...OPENING_BALANCE_REFUSALS_JA,
  ...PAYMENT_REFUSALS_JA,
  ...PREFERENCE_REFUSALS_JA,
  ...PAYMENT_SETTING_REFUSALS_JA,
  ...QUESTION_REFUSALS_JA,
  ...RECORD_REFUSALS_JA,
  ...REGISTER_FILE_REFUSALS_JA,
  ...REPORT_EMAIL_REFUSALS_JA,
  ...REPORT_REFUSALS_JA,
  ...ROLE_REFUSALS_JA,
  ...TRANSFER_ACTION_REFUSALS_JA,
  ...USER_REFUSALS_JA,
  ...WEBHOOK_REFUSALS_JA,
  ...WHAT_IF_REFUSALS_JA,
} as const satisfies RefusalTexts

export type RefusalCode = keyof typeof REFUSAL_MESSAGES_JA

/** The Japanese text of a refusal. Where several media are involved, each line begins with the medium's name. */
export function refusalMessageJa(refusal: Refusal<RefusalCode>): string {
  const text: (data: RefusalData) => string = REFUSAL_MESSAGES_JA[refusal.code]
  const { mediumName } = refusal.data
  return mediumName === undefined ? text(refusal.data) : `${mediumName}：${text(refusal.data)}`
}
