import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from './self-signed.ts'

test('the certificate is one for its address, signed with its own key', () => {
  const now = new Date('2026-11-20T12:34:56.789Z')
  const { cert, key, publicKeyHash } = selfSigned('127.0.0.1', now)
  const read = new X509Certificate(cert)
  expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(read.checkIP('127.0.0.2')).toBeUndefined()
  expect(read.verify(read.publicKey)).toBe(true)
  expect([read.validFromDate, read.validToDate].map(date => date.toISOString())).toEqual([
    '2026-11-20T11:34:56.000Z',
    '2026-11-21T12:34:56.000Z',
  ])
  expect(key).toContain('PRIVATE KEY')
  expect(Buffer.from(publicKeyHash, 'base64')).toHaveLength(32)
})
