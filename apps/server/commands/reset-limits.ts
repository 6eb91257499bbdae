import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '@pc/platform/config.ts'
import { Failure } from './call-running-server.ts'
import { printFailure, UsageError } from './print-failure.ts'
import { runOperatorCommand } from './run-operator-command.ts'

const USAGE = `Usage: npm run reset-limits -- <email or network address>
Forgets the sign-in attempts of a person or a network, who can then try again at once.`

async function main(): Promise<void> {
  const { positionals } = parseArgs({ options: {}, allowPositionals: true, strict: true })
  const [of, ...more] = positionals
  if (of === undefined || more.length > 0) throw new UsageError()
  const answer = await runOperatorCommand(readConfig(process.env), '/reset-limits', { of })
  console.log(`${answer.of}: ${answer.attempts} attempts are forgotten.`)
}

main().catch((error: Error) => {
  process.exitCode = printFailure(error, USAGE, each => each instanceof Failure || each instanceof ConfigError)
})
