import { runTool } from './run-command.ts'

const { ok, output } = await runTool(
  'biome',
  'check',
  '--write',
  ...(process.argv.length > 2 ? process.argv.slice(2) : ['.']),
)
console.log(output.trim())
process.exit(ok ? 0 : 1)
