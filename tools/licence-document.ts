import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from './source-tree.ts'

/**
 * `docs/licences.md`: third-party packages of the running system by licence, from the lock file. Run this file to print
 * it.
 */
export const LICENCE_FILE = 'docs/licences.md'

interface Locked {
  readonly version?: string
  readonly license?: string
  readonly link?: boolean
  readonly dev?: boolean
}

const INTRODUCTION = `# Licences

The packages of the running system, without tools and tests, by licence; printed from \`package-lock.json\` by
\`node tools/licence-document.ts\`. Versions and checksums: \`npm run dependencies -- --omit-dev --sbom /tmp/sbom.json\`. The parts under
LGPL-3.0 are the prebuilt libvips of sharp, loaded as a library of its own and unchanged.

`

/** Package → licence, for shipped packages. A package without a licence in the lock file is listed as "unknown". */
export function shippedLicences(): ReadonlyMap<string, string> {
  const lock = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const found = new Map<string, string>()
  for (const [place, { link, dev, license, version }] of Object.entries(lock.packages)) {
    if (!place.includes('node_modules/') || link || dev) continue
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    found.set(`${name} ${version}`, license ?? 'unknown')
  }
  return found
}

export function licenceDocument(): string {
  const byLicence = Object.entries(Object.groupBy([...shippedLicences()], ([, licence]) => licence)).toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  )
  const sections = byLicence.map(([licence, all = []]) => {
    const lines = all.map(([name]) => `- ${name}`).toSorted()
    return `## ${licence} (${all.length})\n\n${lines.join('\n')}\n`
  })
  return `${INTRODUCTION}${sections.join('\n')}`
}

if (import.meta.main) fs.writeFileSync(path.join(ROOT, LICENCE_FILE), licenceDocument())
