import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SpanCollector extends AsyncDisposable {
  /** Settings of services that send every trace here. */
  readonly env: Readonly<Record<string, string>>;
  /** All exported data, unchanged. */
  text(): string;
  /** Parses its spans. */
  spans(): CollectedSpan[];
}

type Facts = Readonly<Record<string, string>>;

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: string;
  readonly service: string;
  readonly attributes: Facts;
  readonly resource: Facts;
}

/** Kinds in the order of their OTLP numbers. */
const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'kind' | 'attributes'> & {
        readonly kind: number;
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

function toFacts(attributes: readonly Attribute[]): Facts {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? '']));
}

function parseSpans(text: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(text) as Export;
  return resourceSpans.flatMap(({ resource: { attributes }, scopeSpans }) => {
    const resource = toFacts(attributes);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        kind: kinds[span.kind] ?? '',
        attributes: toFacts(span.attributes),
        resource,
        service: resource['service.name'] ?? '',
      })),
    );
  });
}

/** Starts an OpenTelemetry collector (OTLP over HTTP, JSON) that only stores. */
export async function startSpanCollector(): Promise<SpanCollector> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    },
    text: () => received.join('\n'),
    spans: () => received.flatMap(parseSpans),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
