import fs from 'node:fs'
import path from 'node:path'
import { ROOT, repositoryFiles } from './source-tree.ts'

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const
const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

export interface Manifest {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}
export interface Lock {
  readonly packages: Readonly<Record<string, { resolved?: string; link?: boolean; integrity?: string }>>
}

/**
 * Versions must be exact and the same everywhere. Lock files must name no registry, so that any mirror can serve them.
 */
export function checkDependencies(): { problems: string[]; note: string } {
  const files = repositoryFiles()
  const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'))
  const manifests = files.filter(file => path.basename(file) === 'package.json')
  const locks = files.filter(file => path.basename(file) === 'package-lock.json')
  const problems = [
    ...wrongVersions(new Map(manifests.map(file => [file, read(file) as Manifest]))),
    ...locks.flatMap(file => wrongLock(file, read(file) as Lock)),
  ]
  return { problems, note: `${manifests.length} manifests, ${locks.length} lock files` }
}

/** Problems of the manifests, as messages; empty when there are none. */
export function wrongVersions(manifests: ReadonlyMap<string, Manifest>): string[] {
  const problems: string[] = []
  const first = new Map<string, { file: string; version: string }>()
  for (const [file, manifest] of manifests) {
    for (const field of FIELDS) {
      for (const [name, version] of Object.entries(manifest[field] ?? {})) {
        if (!EXACT.test(version)) problems.push(`${file}: ${name} is "${version}", not one exact version`)
        const other = first.get(name)
        if (other && other.version !== version)
          problems.push(`${file}: ${name} is ${version}, but ${other.version} in ${other.file}`)
        if (!other) first.set(name, { file, version })
      }
    }
  }
  return problems
}

/** Problems of a lock file, as messages; empty when there are none. */
export function wrongLock(file: string, lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([name, entry]) => {
    if (entry.link || !name.includes('node_modules/')) return []
    if (entry.resolved !== undefined) return [`${file}: ${name} names the address ${entry.resolved}`]
    return entry.integrity ? [] : [`${file}: ${name} has no checksum`]
  })
}
