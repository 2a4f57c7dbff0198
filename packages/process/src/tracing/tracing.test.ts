import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { currentContext, withContext } from '../context/ambient-context.ts';
import { newTraceparent, parseTraceparent } from '../context/traceparent.ts';
import { AppError } from '../errors/app-error.ts';
import { startTracing } from './start-tracing.ts';
import { withSpan } from './with-span.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = { requestId: 'req-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

type Exported = {
  resourceSpans: { scopeSpans: { spans: { name: string; [member: string]: unknown }[] }[] }[];
};

async function startCollector(status = 200) {
  const bodies: Exported[] = [];
  const server = createServer(async (request, response) => {
    bodies.push((await json(request)) as Exported);
    response.writeHead(status).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Resolves with the next request, before it is answered. */
    asked: () => once(server, 'request'),
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    spans: () => bodies.flatMap((body) => body.resourceSpans[0]?.scopeSpans[0]?.spans ?? []),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

it('sends spans under the trace that came in, with allowed attributes only', async () => {
  await using collector = await startCollector();
  const warnings: string[] = [];
  const logger = { warn: (_: object, message: string) => void warnings.push(message) };
  const tracing = await startTracing({ service: 'intake', endpoint: collector.endpoint, logger });
  const work = async () => parseTraceparent(currentContext()?.traceparent);
  const attributes = { procedure: 'requests.register', attempt: 2, password: 'hunter2' };
  const inner = await withContext(parent, () =>
    withSpan('outer', attributes, () => withSpan('inner', {}, work)),
  );
  const failing = withContext(parent, () =>
    withSpan('failing', {}, async () => {
      throw new AppError({ code: 'FORBIDDEN', publicMessage: 'hunter2' });
    }),
  );
  await expect(failing).rejects.toThrow('FORBIDDEN');
  await tracing.stop();

  const [innerSpan, outer, failed] = collector.spans();
  expect(inner).toEqual({ traceId, spanId: innerSpan?.spanId, sampled: true });
  expect(innerSpan).toMatchObject({ name: 'inner', traceId, parentSpanId: outer?.spanId });
  expect(outer).toMatchObject({ name: 'outer', traceId, parentSpanId: '00f067aa0ba902b7' });
  expect(outer?.attributes).toEqual([
    { key: 'procedure', value: { stringValue: 'requests.register' } },
    { key: 'attempt', value: { intValue: '2' } },
    { key: 'omitted', value: { intValue: '1' } },
  ]);
  expect(failed?.status).toEqual({ code: 2, message: 'FORBIDDEN' });
  expect(JSON.stringify(collector.spans())).not.toContain('hunter2');
  expect(warnings).toEqual([]);
});

it('makes no span for a trace that its sender does not sample', async () => {
  await using collector = await startCollector();
  const tracing = await startTracing({
    service: 'a',
    endpoint: collector.endpoint,
    logger: { warn: () => undefined },
  });
  const unsampled = { requestId: 'r', traceparent: `00-${traceId}-00f067aa0ba902b7-00` };
  const seen = await withContext(unsampled, () =>
    withSpan('x', {}, async () => currentContext()?.traceparent),
  );
  await tracing.stop();
  expect(seen).toBe(unsampled.traceparent);
  expect(collector.spans()).toEqual([]);
});

it('begins as many traces as it is told to keep, and follows those that come in', async () => {
  await using collector = await startCollector();
  const tracing = await startTracing({
    service: 'a',
    endpoint: collector.endpoint,
    sampling: { sampler: 'parentbased_always_off', ratio: 1 },
    logger: { warn: () => undefined },
  });
  const begun = { requestId: 'r', traceparent: newTraceparent() };
  await withContext(begun, () => withSpan('begun', {}, async () => undefined));
  await withSpan('of no trace', {}, async () => undefined);
  await withContext(parent, () => withSpan('came in', {}, async () => undefined));
  await tracing.stop();
  expect(collector.spans().map(({ name }) => name)).toEqual(['came in']);
});

it('sends a batch as soon as it is full', async () => {
  // The clock stands still: nothing goes out because it is time.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await using collector = await startCollector();
  const tracing = await startTracing({
    service: 'a',
    endpoint: collector.endpoint,
    logger: { warn: () => undefined },
  });
  const asked = collector.asked();
  for (let index = 0; index < 512; index += 1) await withSpan(`span "${index}"`, {}, async () => undefined);
  await asked;
  await tracing.stop();
  expect(collector.spans()).toHaveLength(512);
  expect(collector.spans().at(-1)?.name).toBe('span "511"');
});

it('passes the trace on unchanged where nobody collects spans', async () => {
  const tracing = await startTracing({
    service: 'a',
    endpoint: undefined,
    logger: { warn: () => undefined },
  });
  const seen = await withContext(parent, () => withSpan('x', {}, async () => currentContext()));
  expect(seen).toBe(parent);
  await tracing.stop();
});

it('warns and goes on when the collector refuses', async () => {
  await using collector = await startCollector(503);
  const warnings: object[] = [];
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger });
  await withSpan('x', {}, async () => undefined);
  await tracing.stop();
  expect(warnings).toMatchObject([{ count: 1 }]);
});
