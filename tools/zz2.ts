import { buildManual } from './build-manual.ts'

console.log(await buildManual())
