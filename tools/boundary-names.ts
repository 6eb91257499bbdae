import { isTest, layerOf } from './boundary-layers.ts'

const NEVER = [
  'index',
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'shared',
  'service',
  'services',
  'manager',
  'types',
]
/** File name suffixes of other code bases. CONTRIBUTING.md lists ours. */
const FOREIGN_ROLES = [
  'page',
  'screen',
  'component',
  'container',
  'controller',
  'repository',
  'dao',
  'resolver',
  'reducer',
]
const WEB_ROLES = ['route', 'view', 'form']
const SERVER_ROLES = ['fields', 'store', 'job']
const ROOT_ROLES = ['condition', 'actions']
const SEGMENT = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** Allowed parts between the name and the extension: `month.test.ts`, `messages.ja.ts`, `app.module.css`. */
const INFIX = /^(test|browser\.test|faults\.test|gen|ja|config|d|module)$/

/** @returns what is wrong with the path of a module, in words; empty when nothing is */
export function wrongNames(path: string): string[] {
  const problems: string[] = []
  const segments = path.split('/')
  const file = segments.pop() ?? ''
  for (const folder of segments) {
    if (folder === 'src') problems.push('there is no `src/` level: files lie directly in their workspace')
    else if (!SEGMENT.test(folder)) problems.push(`folder \`${folder}\` is not kebab-case`)
    else if (NEVER.includes(folder)) problems.push(`folder \`${folder}\` says nothing: name what it holds`)
  }
  const [name = '', ...rest] = file.split('.')
  rest.pop()
  if (!SEGMENT.test(name)) problems.push(`file name \`${name}\` is not kebab-case`)
  if (rest.length > 0 && !INFIX.test(rest.join('.'))) problems.push(`\`.${rest.join('.')}\` is no known kind of file`)
  const role = name.split('-').at(-1) ?? ''
  if (NEVER.includes(name) || (name.includes('-') && NEVER.includes(role)))
    problems.push(`\`${name}\` says nothing: name the thing that the file holds`)
  return [...problems, ...wrongRole(path, name, role)]
}

function wrongRole(path: string, name: string, role: string): string[] {
  const layer = layerOf(path)
  if (!layer?.startsWith('feature ')) return []
  if (layer === 'feature root') {
    if (![...WEB_ROLES, ...SERVER_ROLES].includes(role)) return []
    return [`\`-${role}\` does not belong at the root of a feature: both sides import what is there`]
  }
  if (!name.includes('-')) return []
  if (FOREIGN_ROLES.includes(role)) return [`\`-${role}\` is not in the list of roles`]
  if (WEB_ROLES.includes(role) && layer !== 'feature web') return [`\`-${role}\` belongs in \`web/\``]
  if (SERVER_ROLES.includes(role) && layer !== 'feature server' && !isTest(path))
    return [`\`-${role}\` belongs in \`server/\``]
  if (ROOT_ROLES.includes(role)) return [`\`-${role}\` belongs at the root of the feature`]
  return []
}

/** Whether other features may import this root file. All other root files belong to the feature's own two sides. */
export function isOpenToOtherFeatures(path: string): boolean {
  const name = path.split('/').at(-1)?.split('.')[0] ?? ''
  return name === 'links' || (name.includes('-') && ROOT_ROLES.includes(name.split('-').at(-1) ?? ''))
}
