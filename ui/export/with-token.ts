import type { Session } from '../session/session.ts'

/** Sends a request with the token, and once more with a new one if the token was refused. */
export async function withToken<Answer extends { readonly status: number }>(
  session: Pick<Session, 'idToken' | 'renew'>,
  send: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const answer = await send(await session.idToken())
  return answer.status === 401 ? send(await session.renew()) : answer
}
