import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { type AuditAnswer, type Finding, findingsOf, REMEDIATION_DAYS } from './audit-answer.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { findKnown, lockedPackages, readAdvisories } from './known-advisories.ts'
import { ROOT } from './source-tree.ts'

/**
 * npm run dependencies: asks the registry for known vulnerabilities of the locked packages, and writes the bill of
 * materials. Some mirrors do not answer; then the result is unknown, which is printed and is only a failure with
 * --strict. With --advisories nothing is sent: the folder holds the export of osv.dev for npm.
 */
const USAGE = 'Usage: npm run dependencies -- [--sbom <file>] [--omit-dev] [--strict] [--advisories <folder>]'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sbom: { type: 'string' },
      'omit-dev': { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      advisories: { type: 'string' },
    },
    strict: true,
  })
  const omit = values['omit-dev'] ? ['--omit=dev'] : []
  if (values.sbom !== undefined) await writeSbom(values.sbom, !values['omit-dev'])
  if (values.advisories !== undefined) {
    const packages = lockedPackages(path.join(ROOT, 'package-lock.json'), values['omit-dev'])
    const advisories = readAdvisories(path.resolve(ROOT, values.advisories))
    console.log(`compared with ${advisories.length} advisories`)
    return report(packages.length, findKnown(advisories, packages))
  }
  const output = await npm('audit', '--json', '--fetch-retries=1', '--fetch-timeout=15000', ...omit)
  const answer = findingsOf(parse(output))
  if (answer.kind === 'unanswered') {
    console.log(`The registry did not say which packages are vulnerable (${answer.reason}): nothing was checked.`)
    console.log('Ask one that does: npm_config_registry=https://registry.npmjs.org npm run dependencies')
    console.log(
      'Or compare with a copy of https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip: --advisories',
    )
    process.exitCode = values.strict ? 2 : 0
    return
  }
  report(answer.packages, answer.findings)
}

function report(packages: number, findings: readonly Finding[]): void {
  console.log(`${packages} packages, ${findings.length} with known vulnerabilities`)
  for (const finding of findings) console.log(line(finding))
  process.exitCode = findings.some(({ severity }) => severity in REMEDIATION_DAYS) ? 1 : 0
}

function line({ name, severity, titles, hasFix }: Finding): string {
  const days = REMEDIATION_DAYS[severity]
  const until = days === undefined ? 'with the next update' : `within ${days} days`
  return `${severity.padEnd(9)} ${name}: ${titles.join('; ') || 'through another package'} (${hasFix ? 'a fix is there' : 'no fix yet'}; ${until}, docs/dependencies.md)`
}

async function writeSbom(file: string, dev: boolean): Promise<void> {
  const bill = await billOfMaterials({ dev })
  fs.writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`)
  console.log(`${file}: CycloneDX, ${bill.components.length} components`)
}

function parse(output: string): AuditAnswer {
  try {
    return JSON.parse(output) as AuditAnswer
  } catch {
    return { message: output.slice(0, 200) || 'no answer' }
  }
}

/** The output, whatever the exit code: npm exits with 1 when it found something. */
async function npm(...args: string[]): Promise<string> {
  const child = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] })
  child.on('error', () => {})
  return text(child.stdout)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? `${error.message}\n${USAGE}` : error)
  process.exit(1)
})
