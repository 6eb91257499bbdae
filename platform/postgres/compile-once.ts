import type { Scope } from '@pc/domain/access/viewer-scope.ts'
import { type CompiledQuery, Kysely, type RawBuilder } from 'kysely'
import type { Reader } from './database.ts'
import { ColumnNames } from './named-query.ts'
import { COMPILING } from './single-reader.ts'
import type { Tables } from './tables.ts'

/** Returns a placeholder for a value while the query is built. */
type Place<V extends object> = <Name extends keyof V & string>(name: Name) => V[Name]
type Built<Row> = { compile(): CompiledQuery<Row> } | RawBuilder<Row>

/** Placeholder that is replaced by a value at each use. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const BUILDER: Reader = new Kysely<Tables>({ dialect: COMPILING, plugins: [new ColumnNames()] })

/**
 * Builds and compiles a query once, at its first use; each use only binds values. For the most frequent queries,
 * because building and compiling takes longer than sending. The query text must not depend on the values.
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

/** Like {@link compileOnce} where the conditions depend on the kind of scope: one query for each kind. */
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
