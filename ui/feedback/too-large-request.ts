import { ServerError } from '@apollo/client/errors'
import { MAX_SENT_BYTES } from '@pc/domain/sent-size.ts'

/** Whether a request was larger than the APIs accept; repeating it cannot help. */
export function isTooLarge(error: unknown): boolean {
  return ServerError.is(error) && error.statusCode === 413
}

export const TOO_LARGE = `送信する内容が大きすぎます（${MAX_SENT_BYTES >> 20}MBまで）。文章やファイルを小さくしてください。`
