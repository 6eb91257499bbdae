import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type CompiledQuery, Kysely, type RawBuilder } from 'kysely'
import type { Reader } from './database.ts'
import { ColumnNames } from './named-query.ts'
import { COMPILING } from './single-reader.ts'
import type { Tables } from './tables.ts'

/** Where a value stands, while the statement is built. */
type Place<V extends object> = <Name extends keyof V & string>(name: Name) => V[Name]
type Built<Row> = { compile(): CompiledQuery<Row> } | RawBuilder<Row>

/** Stands for a value until there is one. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const BUILDER: Reader = new Kysely<Tables>({ dialect: COMPILING, plugins: [new ColumnNames()] })

/**
 * A statement that is built and compiled once, at its first use; each use brings its values. For what most requests send: to
 * build and compile a statement takes longer than to send it. All but the values has to be the same at each use.
 */
export function keptStatement<V extends object, Row>(
  build: (place: Place<V>, builder: Reader) => Built<Row>,
): (values: V) => CompiledQuery<Row> {
  let kept: CompiledQuery<Row> | undefined
  return values => {
    kept ??= build(name => new Slot(name) as never, BUILDER).compile(BUILDER) as CompiledQuery<Row>
    return {
      ...kept,
      parameters: kept.parameters.map(each => (each instanceof Slot ? values[each.name as keyof V] : each)),
    }
  }
}

/** The same where the conditions depend on the kind of a scope: one statement for each kind. */
export function keptByScope<V extends object, Row>(
  build: (place: Place<V>, builder: Reader, scope: Scope) => Built<Row>,
): (scope: Scope, values: V) => CompiledQuery<Row> {
  type Scoped = V & { readonly uid: string; readonly organizationId: bigint }
  const statementOf = ({ kind }: Scope) =>
    keptStatement<Scoped, Row>((place, builder) =>
      build(place, builder, { kind, uid: place('uid'), organizationId: place('organizationId') }),
    )
  const kept = new Map<Scope['kind'], ReturnType<typeof statementOf>>()
  return (scope, values) => {
    const statement = kept.get(scope.kind) ?? statementOf(scope)
    kept.set(scope.kind, statement)
    return statement({ ...values, ...scope } as unknown as Scoped)
  }
}
