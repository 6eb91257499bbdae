import { expect, test } from 'vitest'
import { openLog } from './log.ts'

function linesOf(write: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = []
  write(openLog('debug', { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream))
  return lines.join('')
}

test('a line is JSON with the time and the level by name', () => {
  const line = JSON.parse(linesOf(log => log.info({ requestId: 'r' }, 'hello')))
  expect(line).toMatchObject({
    level: 'info',
    requestId: 'r',
    msg: 'hello',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('secrets under their usual names are replaced, also one level down', () => {
  const secret = 'S3CR3T'
  const text = linesOf(log => {
    log.info(
      { password: secret, idToken: secret, headers: { authorization: secret, cookie: secret, 'set-cookie': secret } },
      'x',
    )
    log.info({ input: { number: secret, holder: secret, body: secret, currentPassword: 'shown?' } }, 'x')
  })
  expect(text).not.toContain(secret)
  expect(text.match(/\[redacted\]/g)).toHaveLength(8)
})

test('of an error only name, message, state and places are kept, never what a driver added', () => {
  const cause = Object.assign(new Error('inner'), { parameters: ['口座 7654321'] })
  const error = Object.assign(new Error('outer', { cause }), {
    code: '23505',
    detail: 'Key (email)=(a@example.jp)',
    query: 'select',
  })
  const text = linesOf(log => log.error({ err: error }, 'fault'))
  expect(JSON.parse(text).err).toMatchObject({
    name: 'Error',
    message: 'outer',
    errorCode: '23505',
    cause: { message: 'inner' },
  })
  for (const added of ['7654321', 'a@example.jp', 'select']) expect(text).not.toContain(added)
})

test('the copy of an error that a library makes says what happened as the error does, and nothing that was copied along', () => {
  const error = Object.assign(new Error('canceling statement due to statement timeout'), {
    code: '57014',
    detail: 'row (口座 7654321)',
    connectionString: 'postgres://owner:hunter2@db.internal/accounts',
  })
  const text = linesOf(log => log.error({ err: { ...error, message: error.message, stack: error.stack } }, 'fault'))
  expect(JSON.parse(text).err).toMatchObject({
    message: error.message,
    errorCode: '57014',
    stack: expect.arrayContaining([expect.any(String)]),
  })
  for (const inside of ['7654321', 'hunter2', 'connectionString']) expect(text).not.toContain(inside)
  expect(linesOf(log => log.error({ err: { token: 'S3CR3T' } }, 'fault'))).toContain('not an Error')
})
