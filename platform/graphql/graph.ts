import type { Permit } from '@pc/domain/access/decide.ts'
import type { ResourceName } from '@pc/domain/access/resource-name.ts'
import type { Viewer } from '@pc/domain/access/viewer-scope.ts'
import type { Day } from '@pc/domain/month/day.ts'
import SchemaBuilder, { type ObjectRef, type SchemaTypes } from '@pothos/core'
import type { AccessRule } from './access-rule.ts'
import { DATE, DATE_TIME, LONG } from './scalars.ts'

/** What every resolver receives. Stores and clocks come through closures instead, wired in `apps/server/wire-dependencies.ts`. */
export interface GraphContext {
  /** The signed-in person as PostgreSQL knows them at this request; null when nobody is signed in. */
  readonly viewer: Viewer | null
  /** The request carried an API key that was not accepted. */
  readonly hasRefusedKey?: boolean
  readonly requestId: string
  /** Address of the caller, for the audit log and rate limits. */
  readonly sourceAddress: string
  /** Aborted when the request times out or the caller goes away. */
  readonly signal: AbortSignal
  /** Cache of permission decisions for this request; undefined: denied. Only `guard.ts` fills it. */
  readonly permits: Map<string, Permit | undefined>
}

export interface GraphTypes extends Partial<PothosSchemaTypes.UserSchemaTypes> {
  Context: GraphContext
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string | bigint }
    Long: { Input: bigint; Output: bigint }
    Date: { Input: Day; Output: Day }
    DateTime: { Input: Date; Output: Date }
  }
}

declare global {
  // How Pothos lets a program add options of its own (types only).
  export namespace PothosSchemaTypes {
    interface ObjectTypeOptions<Types extends SchemaTypes = SchemaTypes, Shape = unknown> {
      /**
       * The resource whose readers may see objects of this type, whichever field leads to them; `'inherits'` for parts
       * and lists that are only ever reached through a field that was checked. (Never resolved: kept for the shape.)
       */
      on: ResourceName | 'inherits' | (Types & Shape & never)
    }
    interface QueryFieldOptions<Types, Type, Nullable, Args, ResolveReturnShape> {
      /** Set by `field` and `openField`: a root field without a rule does not compile, and the graph is not built. */
      extensions: { readonly access: AccessRule } & UnusedParameters<[Types, Type, Nullable, Args, ResolveReturnShape]>
    }
    interface MutationFieldOptions<Types, Type, Nullable, Args, ResolveReturnShape> {
      /** Set by `mutation` only. */
      extensions: { readonly access: AccessRule; readonly isMutation: true } & UnusedParameters<
        [Types, Type, Nullable, Args, ResolveReturnShape]
      >
    }
  }
}
type UnusedParameters<_T> = unknown

export type Graph = ReturnType<typeof openGraph>

/** An object type of the graph, for features that answer a type that another one made. */
export type ObjectTypeRef<Shape> = ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>, Shape>

/** An empty graph with the scalars; features add their types and root fields, then `finishGraph` checks and builds it. */
export function openGraph() {
  const builder = new SchemaBuilder<GraphTypes>({ defaultFieldNullability: false })
  builder.addScalarType('Long', LONG)
  builder.addScalarType('Date', DATE)
  builder.addScalarType('DateTime', DATE_TIME)
  return builder
}
