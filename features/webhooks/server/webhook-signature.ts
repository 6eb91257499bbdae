import { createHmac } from 'node:crypto'
import { textToSign } from '@pc/domain/webhook/webhook.ts'

/**
 * The headers of one attempt. The time is that of the attempt, the id that of the event.
 * Tested by `features/webhooks/server/webhooks.test.ts`.
 */
export function webhookHeaders(
  message: { readonly key: string; readonly kind: string; readonly body: string },
  secret: string,
  nowMs: number,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(nowMs / 1000)
  const signature = createHmac('sha256', secret).update(textToSign(timestamp, message.body)).digest('hex')
  return {
    'publisher-center-event': message.kind,
    'publisher-center-id': message.key,
    'publisher-center-timestamp': String(timestamp),
    'publisher-center-signature': `v1=${signature}`,
  }
}
