import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type CompiledQuery, Kysely, type RawBuilder } from 'kysely'
import type { Reader } from './database.ts'
import { ColumnNames } from './named-query.ts'
import { COMPILING } from './single-reader.ts'
import type { Tables } from './tables.ts'

/** Stands for a value while the query is built. */
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
 * A query that is built and compiled once, at its first use; each use brings its values. For what most requests send, because
 * building and compiling takes longer than sending. Everything but the values has to be the same at each use.
 */
export function compileOnce<V extends object, Row>(
  build: (place: Place<V>, builder: Reader) => Built<Row>,
): (values: V) => CompiledQuery<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return values => {
    compiled ??= build(name => new Slot(name) as never, BUILDER).compile(BUILDER) as CompiledQuery<Row>
    return {
      ...compiled,
      parameters: compiled.parameters.map(each => (each instanceof Slot ? values[each.name as keyof V] : each)),
    }
  }
}

/** The same where the conditions depend on the kind of a scope: one query for each kind. */
export function compileOncePerScope<V extends object, Row>(
  build: (place: Place<V>, builder: Reader, scope: Scope) => Built<Row>,
): (scope: Scope, values: V) => CompiledQuery<Row> {
  type Scoped = V & { readonly uid: string; readonly organizationId: bigint }
  const queryOf = ({ kind }: Scope) =>
    compileOnce<Scoped, Row>((place, builder) =>
      build(place, builder, { kind, uid: place('uid'), organizationId: place('organizationId') }),
    )
  const queries = new Map<Scope['kind'], ReturnType<typeof queryOf>>()
  return (scope, values) => {
    const query = queries.get(scope.kind) ?? queryOf(scope)
    queries.set(scope.kind, query)
    return query({ ...values, ...scope } as unknown as Scoped)
  }
}
