import type { Config } from '@pc/platform/config.ts'
import { openDatabase } from '@pc/platform/postgres/database.ts'
import { OPERATOR_COMMANDS } from '../operator-commands.ts'
import { askRunningServer, Failure } from './call-running-server.ts'

/**
 * Runs a command on DATABASE_URL, or in the running system of DATA_DIR.
 * @throws Failure when it is refused, or nothing runs
 */
export async function runOperatorCommand(
  config: Config,
  address: keyof typeof OPERATOR_COMMANDS,
  request: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  if (config.databaseUrl === undefined) return askRunningServer(config.dataDir, address, request)
  const database = openDatabase({ url: config.databaseUrl, maxConnections: 1 })
  try {
    const { status, body } = await OPERATOR_COMMANDS[address]({ config, database }, request)
    if (status !== 200) throw new Failure('message' in body ? body.message : `status ${status}`)
    return { ...body }
  } finally {
    await database.close()
  }
}
