import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { ROOT } from './source-tree.ts'

/** The parts of a CycloneDX document that are used here. */
export interface BillOfMaterials {
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}
interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly hashes?: readonly { readonly alg: string }[]
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
}
/** npm's mark for packages that only development needs. */
const DEVELOPMENT = 'cdx:npm:package:development'

/**
 * Everything that is installed, as CycloneDX; without `dev`, packages that only development needs are left out. The
 * lock file decides that: `npm sbom --omit=dev` also leaves out a package that one workspace needs at run time and
 * another only for tests.
 */
export async function billOfMaterials(options: { readonly dev: boolean }): Promise<BillOfMaterials> {
  const bill = JSON.parse(await npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application')) as BillOfMaterials
  if (options.dev) return bill
  const components = bill.components.filter(
    ({ properties }) => !properties?.some(({ name, value }) => name === DEVELOPMENT && value === 'true'),
  )
  const kept = new Set(components.map(component => component['bom-ref']))
  const left = new Set(bill.components.map(component => component['bom-ref']).filter(ref => !kept.has(ref)))
  return {
    ...bill,
    components,
    dependencies: bill.dependencies
      .filter(({ ref }) => !left.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => !left.has(other)) })),
  }
}

async function npm(...args: string[]): Promise<string> {
  const child = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (code !== 0) throw new Error(`npm ${args[0]} ended with ${code}: ${errors.slice(0, 1_000)}`)
  return output
}
