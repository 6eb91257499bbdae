import { API_KEY_BOUNDS, API_KEY_PREFIX, API_KEY_SCOPE_LABELS, type ApiKeyScope } from '@pc/domain/api-key/api-key.ts'
import { dayText } from '@pc/domain/month/day-text.ja.ts'
import { dayAt } from '@pc/platform/clock.ts'
import { renderEmail } from '@pc/platform/mail/render-email.ts'
import type { Mail } from '@pc/platform/mail/send-mail.ts'
import { API_KEYS_PATH } from '../links.ts'

interface EmailedKey {
  readonly name: string
  readonly secretEnd: string
  readonly scopes: readonly ApiKeyScope[]
  readonly createdByEmail: string | null
  readonly allowedAddresses: readonly string[]
  readonly expiresAt: Date
}

/** Sent to everybody who manages the organisation's keys, so that no key is created unnoticed. */
export function creationEmail(to: string, key: EmailedKey, webOrigin: string): Mail {
  return renderEmail({
    to,
    subject: `【Publisher Center】APIキー「${key.name}」が作成されました`,
    paragraphs: [
      '次のAPIキーが作成されました。お使いのシステムから、自社のデータを読み取れるようになります（変更はできません）。',
      lines(key),
      'お心当たりがない場合は、すぐに「APIキー」の画面で失効させ、作成した人のパスワードを変更してください。失効させると、次の要求から拒否されます。',
    ],
    action: { label: 'APIキーの画面を開く', url: addressOf(webOrigin) },
  })
}

/** Sent when a key is revoked: its program stops working, and an account may have been taken over. */
export function revocationEmail(
  to: string,
  key: EmailedKey & { readonly isByStaff: boolean },
  webOrigin: string,
): Mail {
  const who = key.isByStaff ? '運営' : '組織の管理者'
  return renderEmail({
    to,
    subject: `【Publisher Center】APIキー「${key.name}」を失効させました`,
    paragraphs: [
      `${who}が、次のAPIキーを失効させました。このキーを使うシステムは、データを読み取れなくなっています。`,
      lines(key),
      '引き続き読み取るときは、新しいキーを作成して、システムの設定を差し替えてください。お心当たりがない場合は、組織の管理者か運営の担当者にご確認ください。',
    ],
    action: { label: 'APIキーの画面を開く', url: addressOf(webOrigin) },
  })
}

/** Subject of the email that a key expires soon. */
export function endingTitle({ name, expiresAt }: Pick<EmailedKey, 'name' | 'expiresAt'>): string {
  return `APIキー「${name}」の期限は${dayText(dayAt(expiresAt.getTime()))}です`
}
export const ENDING_TEXT =
  '期限を過ぎると、このキーを使うシステムはデータを読み取れなくなります。引き続き使うときは、新しいキーを作成してシステムの設定を差し替え、古いキーを失効させてください。'

/** Sent two weeks before a key expires. */
export function expiryEmail(to: string, key: EmailedKey, webOrigin: string): Mail {
  return renderEmail({
    to,
    subject: `【Publisher Center】${endingTitle(key)}`,
    paragraphs: [
      ENDING_TEXT,
      lines(key),
      `このお知らせは、期限の${API_KEY_BOUNDS.noticeDays}日前に一度だけお送りします。`,
    ],
    action: { label: 'APIキーの画面を開く', url: addressOf(webOrigin) },
  })
}

function lines({ name, secretEnd, scopes, createdByEmail, allowedAddresses, expiresAt }: EmailedKey): string {
  return [
    `名前：${name}（${API_KEY_PREFIX}…${secretEnd}）`,
    `読み取れるデータ：${scopes.map(scope => API_KEY_SCOPE_LABELS[scope]).join('、')}`,
    `許可するIPアドレス：${allowedAddresses.length > 0 ? allowedAddresses.join('、') : '制限なし'}`,
    `作成した人：${createdByEmail ?? '（削除されたユーザー）'}`,
    `期限：${dayText(dayAt(expiresAt.getTime()))}`,
  ].join('\n')
}

function addressOf(webOrigin: string): string {
  return `${webOrigin}/gpc/#${API_KEYS_PATH}`
}
