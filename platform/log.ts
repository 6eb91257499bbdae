import { pino } from 'pino'

/** Structured logs: one JSON line per event, to standard error. */
export type Log = Pick<import('pino').Logger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>

/**
 * Last line of defence: secrets, request bodies and bank data must not be passed to the log at all. Values under these
 * names are replaced, up to two levels deep.
 */
const SECRET_NAMES = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'passwordHash',
  'token',
  'idToken',
  'id_token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'code', // of a sign-in or a second factor; error codes are logged as `errorCode` instead
  'secret',
  'body',
  'variables',
  'number', // of a bank account
  'accountNumber',
  'holder',
]

export function openLog(
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent',
  destination: NodeJS.WritableStream = process.stderr,
): Log {
  const names = SECRET_NAMES.map(name => (name.includes('-') ? `["${name}"]` : name))
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
      serializers: { err: describeFault },
      redact: {
        paths: names.flatMap(name => [name, `*${name.startsWith('[') ? name : `.${name}`}`]),
        censor: '[redacted]',
      },
    },
    destination,
  )
}

/** An Error, or an object that a library made from one (with message and stack). */
function isLikeError(error: unknown): error is Pick<Error, 'message'> & Partial<Error> {
  return error instanceof Error || typeof (error as Partial<Error> | null)?.message === 'string'
}

/**
 * What is logged of an error. Own properties are left out: drivers put rows, parameters and connection strings there.
 */
function describeFault(error: unknown): Readonly<Record<string, unknown>> {
  if (!isLikeError(error)) return { message: 'not an Error', kind: typeof error }
  const code = (error as { code?: unknown }).code
  return {
    name: error.name ?? 'Error',
    message: error.message.slice(0, 500),
    ...(typeof code === 'string' ? { errorCode: code } : {}),
    stack: error.stack
      ?.split('\n')
      .slice(1, 12)
      .map(line => line.trim()),
    ...(error.cause === undefined ? {} : { cause: describeFault(error.cause) }),
  }
}
