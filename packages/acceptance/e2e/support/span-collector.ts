import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SpanCollector extends AsyncDisposable {
  /** Settings of services that send every trace here. */
  readonly env: Readonly<Record<string, string>>;
  /** Everything that was exported, as it came. */
  text(): string;
  /** The spans of it. */
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

/** As OTLP numbers them. */
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

function factsOf(attributes: readonly Attribute[]): Facts {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? '']));
}

function spansOf(text: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(text) as Export;
  return resourceSpans.flatMap(({ resource: { attributes }, scopeSpans }) => {
    const resource = factsOf(attributes);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        kind: kinds[span.kind] ?? '',
        attributes: factsOf(span.attributes),
        resource,
        service: resource['service.name'] ?? '',
      })),
    );
  });
}

/** An OpenTelemetry collector (OTLP over HTTP, JSON) that only remembers. */
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
    spans: () => received.flatMap(spansOf),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
