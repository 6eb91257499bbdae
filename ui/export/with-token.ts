import type { Session } from '../session/session.ts'

/** Sends in the person's name, once more where the token was no longer good. */
export async function withToken<Answer extends { readonly status: number }>(
  session: Pick<Session, 'idToken' | 'renew'>,
  send: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const answer = await send(await session.idToken())
  return answer.status === 401 ? send(await session.renew()) : answer
}
