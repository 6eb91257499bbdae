import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Observe } from './observation.ts'

export interface Traces {
  readonly observe: Observe
  /** Sends the buffered spans. */
  close(): Promise<void>
}

/**
 * OpenTelemetry traces: a server span for each request, as a child of the caller's trace. This module is imported only
 * when an endpoint is set.
 */
export function openTraces(endpoint: string, services: readonly string[]): Traces {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: 5_000 })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'publisher-center',
      'service.name': services.join('-'),
      'process.pid': process.pid,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('publisher-center')
  return {
    observe({ listener, method, area, status, startedAtMs, tookMs, requestId, traceparent, notes }) {
      const field = notes.get('graphql.field')
      const span = tracer.startSpan(
        field === undefined ? `${method} ${area}` : `${method} ${area} ${field}`,
        {
          kind: SpanKind.SERVER,
          startTime: startedAtMs,
          attributes: {
            'http.request.method': method,
            'http.response.status_code': status,
            'pc.listener': listener,
            'pc.request_id': requestId,
            ...Object.fromEntries(notes),
          },
        },
        parentOf(traceparent),
      )
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(startedAtMs + tookMs)
    },
    close: () => provider.shutdown(),
  }
}

/** W3C Trace Context, section 3.2; anything else begins a new trace. */
function parentOf(traceparent: string | undefined) {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
