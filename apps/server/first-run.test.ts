import { readConfig } from '@pc/platform/config.ts'
import { testDatabase } from '@pc/testing/test-database.ts'
import { expect, test } from 'vitest'
import { prepareFirstRun } from './first-run.ts'
import type { Service } from './start-listeners.ts'
import type { Dependencies } from './wire-dependencies.ts'

test('of the parts of an empty system that start apart, only web makes the link: the next one would void it', async () => {
  const { database, drop } = await testDatabase()
  const linkOf = async (env: Record<string, string>, ...services: Service[]) => {
    const dependencies = { config: readConfig({ PUBLISHER_CENTER_DEMO: 'off', ...env }), database } as Dependencies
    return (await prepareFirstRun(dependencies, services, () => {})).firstAdminLink
  }
  try {
    expect(await linkOf({}, 'web')).toMatch(/\/sso#\/first-admin\/[\w-]{43}$/)
    expect(await linkOf({}, 'web', 'api', 'worker')).toMatch(/\/sso#\/first-admin\/[\w-]{43}$/)
    expect(await linkOf({}, 'api')).toBeUndefined()
    expect(await linkOf({}, 'worker')).toBeUndefined()
    expect(await linkOf({ OIDC_ISSUER: 'https://issuer.example.jp' }, 'web')).toMatch(/\/sso#\/first-admin\/[\w-]{43}$/)
  } finally {
    await drop()
  }
})
