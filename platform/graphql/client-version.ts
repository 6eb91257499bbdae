import type { GraphQLFormattedError } from 'graphql'

/** Whether the version that a client sent (`X-Client-Version: 1.4.0`) is below the oldest that is still served. */
export function isOutdatedClient(sent: string | string[] | undefined, minimum: string | undefined): boolean {
  if (minimum === undefined || typeof sent !== 'string') return false
  const [given, needed] = [numbersOf(sent), numbersOf(minimum)]
  if (!given || !needed) return false
  for (const [index, part] of needed.entries()) {
    if ((given[index] ?? 0) !== part) return (given[index] ?? 0) < part
  }
  return false
}

export function outdatedClientError(): GraphQLFormattedError {
  return {
    message: '画面が古くなっています。ページを再読み込みしてください。',
    extensions: { code: 'BAD_REQUEST', mustReload: true },
  }
}

function numbersOf(version: string): number[] | undefined {
  return /^\d{1,6}(\.\d{1,6}){0,3}$/.test(version) ? version.split('.').map(Number) : undefined
}
