import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { billOfMaterials } from './bill-of-materials.ts'
import { ROOT } from './source-tree.ts'

test('the bill of materials names every package that the running system has, with version and checksum', async () => {
  const { components } = await billOfMaterials({ dev: false })
  const lock = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<
      string,
      { version?: string; dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean }
    >
  }
  const named = new Set(components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`))
  const missing = Object.entries(lock.packages)
    .filter(([place, entry]) => place.startsWith('node_modules/') && !entry.link)
    .filter(([place, { dev, optional }]) => !dev && !(optional && !fs.existsSync(path.join(ROOT, place))))
    .map(([place, { version }]) => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`)
    .filter(name => !named.has(name))
  expect(missing).toEqual([])
  expect(components.map(({ name }) => name)).not.toContain('vitest')
  const foreign = components.filter(({ hashes }) => hashes !== undefined)
  expect(foreign.length).toBeGreaterThan(100)
  expect(foreign.filter(({ hashes }) => !hashes?.some(({ alg }) => alg === 'SHA-512'))).toEqual([])
})
