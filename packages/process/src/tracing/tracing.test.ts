import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { currentContext, withContext } from '../context/ambient-context.ts';
import { newTraceparent, parseTraceparent, readTraceId } from '../context/traceparent.ts';
import { AppError } from '../errors/app-error.ts';
import { SpanTemplate } from './span-template.ts';
import { startTracing } from './start-tracing.ts';
import { type SpanHandle, withLeafSpan, withSpan, withSpanIn } from './with-span.ts';

const silent = { warn: () => undefined };
const nothing = async () => undefined;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = { requestId: 'req-1', traceparent: `00-${traceId}-00f067aa0ba902b7-01` };

type Exported = {
  resourceSpans: { scopeSpans: { spans: { name: string; [member: string]: unknown }[] }[] }[];
};

async function startCollector({ status = 200, until }: { status?: number; until?: Promise<void> } = {}) {
  const bodies: Exported[] = [];
  const server = createServer(async (request, response) => {
    bodies.push((await json(request)) as Exported);
    await until;
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
  const fields = { procedure: 'requests.register', attempt: 2, password: 'hunter2' };
  const inner = await withContext(parent, () =>
    withSpan(new SpanTemplate('outer', { kind: 'client', fields }), () =>
      withSpan(new SpanTemplate('inner'), work),
    ),
  );
  const failing = withContext(parent, () =>
    withSpan(new SpanTemplate('failing'), async () => {
      throw new AppError({ code: 'FORBIDDEN', publicMessage: 'hunter2' });
    }),
  );
  await expect(failing).rejects.toThrow('FORBIDDEN');
  await tracing.stop();

  const [innerSpan, outer, failed] = collector.spans();
  expect(inner).toEqual({ traceId, spanId: innerSpan?.spanId, sampled: true });
  expect(innerSpan).toMatchObject({ name: 'inner', kind: 1, traceId, parentSpanId: outer?.spanId });
  expect(outer).toMatchObject({ name: 'outer', kind: 3, traceId, parentSpanId: '00f067aa0ba902b7' });
  expect(outer?.attributes).toEqual([
    { key: 'procedure', value: { stringValue: 'requests.register' } },
    { key: 'attempt', value: { intValue: 2 } },
    { key: 'omitted', value: { intValue: 1 } },
  ]);
  expect(failed?.status).toEqual({ code: 2, message: 'FORBIDDEN' });
  expect(JSON.stringify(collector.spans())).not.toContain('hunter2');
  expect(warnings).toEqual([]);
});

it('times spans to the microsecond', async () => {
  await using collector = await startCollector();
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger: silent });
  const before = performance.timeOrigin + performance.now();
  await withSpan(new SpanTemplate('outer'), () => withSpan(new SpanTemplate('inner'), nothing));
  const after = performance.timeOrigin + performance.now();
  await tracing.stop();
  const [inner, outer] = collector.spans();
  const times = [
    outer?.startTimeUnixNano,
    inner?.startTimeUnixNano,
    inner?.endTimeUnixNano,
    outer?.endTimeUnixNano,
  ];
  const ordered = [before, ...times.map((nanoseconds) => Number(nanoseconds) / 1e6), after];
  // A number of this size is exact to a quarter of a microsecond.
  for (const [index, ms] of ordered.slice(1).entries())
    expect(ms - (ordered[index] ?? 0)).toBeGreaterThan(-0.001);
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
    withSpan(new SpanTemplate('x'), async () => currentContext()?.traceparent),
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
  await withContext(begun, () => withSpan(new SpanTemplate('begun'), async () => undefined));
  await withSpan(new SpanTemplate('of no trace'), async () => undefined);
  await withContext(parent, () => withSpan(new SpanTemplate('came in'), async () => undefined));
  await tracing.stop();
  expect(collector.spans().map(({ name }) => name)).toEqual(['came in']);
});

it('gives the first span of a trace that begins here no parent, also where another process makes it', async () => {
  await using collector = await startCollector();
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger: silent });
  const begun = { requestId: 'r', traceparent: newTraceparent() };
  await withContext(begun, () =>
    withSpan(new SpanTemplate('first'), () => withSpan(new SpanTemplate('below'), nothing)),
  );
  await withSpan(new SpanTemplate('of no context'), nothing);
  await tracing.stop();
  const [below, first, alone] = collector.spans();
  expect(first).toMatchObject({ name: 'first', traceId: readTraceId(begun.traceparent) });
  expect(first).not.toHaveProperty('parentSpanId');
  expect(below).toMatchObject({ name: 'below', parentSpanId: first?.spanId });
  expect(alone).not.toHaveProperty('parentSpanId');
});

it('keeps the context of a leaf, which is told its traceparent', async () => {
  await using collector = await startCollector();
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger: silent });
  const told: unknown[] = [];
  const work = async (span?: SpanHandle) => void told.push(currentContext(), span?.traceparent);
  await withContext(parent, () => withLeafSpan(new SpanTemplate('leaf'), work));
  await withLeafSpan(new SpanTemplate('of no trace'), work);
  await tracing.stop();
  const [leaf, alone] = collector.spans();
  expect(leaf).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' });
  expect(alone).not.toHaveProperty('parentSpanId');
  expect(told).toEqual([
    parent,
    `00-${traceId}-${leaf?.spanId}-01`,
    undefined,
    `00-${alone?.traceId}-${alone?.spanId}-01`,
  ]);
});

it('enters a context whether its spans are kept or not', async () => {
  await using collector = await startCollector();
  const seen: unknown[] = [];
  const look = async () => void seen.push(currentContext());
  const unkept = { requestId: 'r', traceparent: `00-${traceId}-00f067aa0ba902b7-00` };
  await withSpanIn(parent, new SpanTemplate('nobody collects'), look);
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger: silent });
  await withSpanIn(parent, new SpanTemplate('kept'), look);
  await withSpanIn(unkept, new SpanTemplate('not kept'), look);
  await tracing.stop();
  const [span] = collector.spans();
  expect(collector.spans()).toHaveLength(1);
  expect(seen).toEqual([
    parent,
    { requestId: 'req-1', traceparent: `00-${traceId}-${span?.spanId}-01` },
    unkept,
  ]);
});

it('records work that throws before it has a promise', async () => {
  await using collector = await startCollector();
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger: silent });
  const throwing = () => {
    throw new AppError({ code: 'FORBIDDEN' });
  };
  expect(() => withSpan(new SpanTemplate('x'), throwing)).toThrow('FORBIDDEN');
  await tracing.stop();
  expect(collector.spans()).toMatchObject([{ name: 'x', status: { code: 2, message: 'FORBIDDEN' } }]);
});

it('takes no step of promises of its own: work that began together goes on together', async () => {
  await using collector = await startCollector();
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger: silent });
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended: string[] = [];
  const begin = async (name: string, flags: string) => {
    const traceparent = `00-${traceId}-00f067aa0ba902b7-${flags}`;
    const leaf = () => withLeafSpan(new SpanTemplate('leaf'), () => promise);
    const inner = () => withSpan(new SpanTemplate('inner'), leaf);
    await withSpanIn({ requestId: name, traceparent }, new SpanTemplate('outer'), inner);
    ended.push(name);
  };
  const all = [begin('first, traced', '01'), begin('second', '00'), begin('third, traced', '01')];
  resolve();
  await Promise.all(all);
  await tracing.stop();
  expect(ended).toEqual(['first, traced', 'second', 'third, traced']);
  expect(collector.spans()).toHaveLength(6);
});

it('drops what a slow collector leaves no room for, and says how much', async () => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  await using collector = await startCollector({ until });
  const warnings: unknown[] = [];
  const logger = { warn: (fields: object, text: string) => void warnings.push([fields, text]) };
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger });
  // One request under way, and 23 that wait.
  const kept = 24 * 512;
  const template = new SpanTemplate('x');
  for (let index = 0; index < kept + 128; index += 1) await withSpan(template, nothing);
  resolve();
  await tracing.stop();
  expect(collector.spans()).toHaveLength(kept);
  expect(warnings).toEqual([[{ count: 128 }, 'spans were dropped: the collector is too slow for them']]);
});

it('sends a batch as soon as it is full', async () => {
  // The clock stands still: nothing goes out because it is time.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await using collector = await startCollector();
  const tracing = await startTracing({
    service: 'a',
    endpoint: collector.endpoint,
    logger: { warn: () => undefined },
  });
  const asked = collector.asked();
  for (let index = 0; index < 512; index += 1)
    await withSpan(new SpanTemplate(`span "${index}"`), async () => undefined);
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
  const seen = await withContext(parent, () => withSpan(new SpanTemplate('x'), async () => currentContext()));
  expect(seen).toBe(parent);
  await tracing.stop();
});

it('warns and goes on when the collector refuses', async () => {
  await using collector = await startCollector({ status: 503 });
  const warnings: object[] = [];
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger });
  await withSpan(new SpanTemplate('x'), async () => undefined);
  await tracing.stop();
  expect(warnings).toMatchObject([{ count: 1 }]);
});

it('stops in time where the collector never answers', async () => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  await using collector = await startCollector({ until });
  const warnings: object[] = [];
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const tracing = await startTracing({ service: 'a', endpoint: collector.endpoint, logger });
  await withSpan(new SpanTemplate('x'), nothing);
  const before = performance.now();
  await tracing.stop();
  // The runner gives up what takes longer.
  expect(performance.now() - before).toBeLessThan(3_000);
  expect(warnings).toMatchObject([{ count: 1 }]);
});
