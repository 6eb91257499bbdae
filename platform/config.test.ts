import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, describeSettings, readConfig } from './config.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pc-config-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

describe('readConfig', () => {
  test('without any setting everything is embedded and on this machine alone', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', databaseUrl: undefined, makesDemoData: true })
    expect(config.documents.faq).toBe('/docs/faq.html')
    expect(config.operatorPort).toBeUndefined()
  })

  test('names every wrong setting, but repeats no secret', () => {
    const wrong = () => readConfig({ PORT: 'x', STATS_THREADS: '0', SMTP_URL: 'user:hunter2@mail' })
    expect(wrong).toThrow(ConfigError)
    for (const named of ['PORT="x"', 'STATS_THREADS="0"']) expect(wrong).toThrow(named)
    expect(wrong).not.toThrow(/hunter2/)
    const wrongBucket = () => readConfig({ OBJECTS_URL: 'https://key:hunter2@bucket' })
    expect(wrongBucket).toThrow('OBJECTS_URL=…')
    expect(wrongBucket).not.toThrow(/hunter2/)
  })

  test('keys of secrets are 32 bytes each, the newest first', () => {
    const keys = [1, 2].map(byte => Buffer.alloc(32, byte))
    const text = keys.map(key => key.toString('base64')).join(', ')
    expect(readConfig({ SECRETS_KEY: text }).secretsKeys).toEqual(keys)
    expect(readConfig({}).secretsKeys).toEqual([])
    const wrong = () => readConfig({ SECRETS_KEY: `${text},hunter2` })
    expect(wrong).toThrow('SECRETS_KEY=…: Expected 32 bytes')
    expect(wrong).not.toThrow(/hunter2/)
  })

  test('the malware scanner has a port or a socket', () => {
    for (const address of ['127.0.0.1:3310', 'clamd.example:3310', '/run/clamav/clamd.ctl'])
      expect(readConfig({ CLAMD_ADDRESS: address }).clamdAddress).toBe(address)
    for (const address of ['clamd', ':3310', 'http://clamd:3310/'])
      expect(() => readConfig({ CLAMD_ADDRESS: address })).toThrow(ConfigError)
  })

  test.each(['javascript:alert(1)', '//evil.example/', '/\\evil.example', 'docs/faq.html'])(
    'no link of the sidebar leads to %s',
    address => {
      expect(() => readConfig({ FAQ_URL: address })).toThrow(ConfigError)
    },
  )

  test('the launcher offers the services of the platform, or those that the operator names', () => {
    expect(readConfig({}).launcherServices).toEqual(['/iam/', '/gpc/'])
    expect(readConfig({ LAUNCHER_SERVICES: '/gpc/,/coupon/' }).launcherServices).toEqual(['/gpc/', '/coupon/'])
    expect(readConfig({ LAUNCHER_SERVICES: '/gpc/,/iam/' }).launcherServices).toEqual(['/gpc/', '/iam/'])
    expect(() => readConfig({ LAUNCHER_SERVICES: '/gpc/,//evil.example/' })).toThrow(ConfigError)
  })

  test.each(['::1', '0.0.0.0', '::', 'localhost'])('with HOST=%s the console is reached as localhost', host => {
    expect(readConfig({ HOST: host })).toMatchObject({
      webOrigin: 'http://localhost:4000',
      insightApiOrigin: 'http://localhost:4001',
      oidcIssuer: 'http://localhost:4000/oidc',
    })
  })

  test('no origin is one that a content security policy cannot name', () => {
    for (const wrong of [{ HOST: '2001:db8::1' }, { INSIGHT_API_ORIGIN: 'http://[::1]:4001' }])
      expect(() => readConfig(wrong)).toThrow(/IPv6 address/)
    expect(() => readConfig({ OIDC_ISSUER: 'https://[2001:db8::1]/' })).toThrow(/IPv6 address/)
    for (const wrong of ['a b', 'fe80::1%eth0', 'http://x'])
      expect(() => readConfig({ HOST: wrong })).toThrow(ConfigError)
    const origins = ['WEB_ORIGIN', 'INSIGHT_API_ORIGIN', 'IAM_API_ORIGIN'].map(name => [
      name,
      'https://console.example',
    ])
    expect(readConfig({ HOST: '2001:db8::1', ...Object.fromEntries(origins) }).host).toBe('2001:db8::1')
  })

  test('a secret may be in a file, not in both places', () => {
    const file = path.join(folder, 'database-url')
    fs.writeFileSync(file, 'postgres://app:secret@db/pc\n')
    expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://app:secret@db/pc')
    expect(() => readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://x/y' })).toThrow('both set')
    expect(() => readConfig({ DATABASE_URL_FILE: path.join(folder, 'missing') })).toThrow('ENOENT')
  })
})

test('every setting says what it does', () => {
  for (const { name, description } of describeSettings()) expect(description, name).toMatch(/\S.*\.$/)
})
