import { randomBytes } from 'node:crypto';
import { disposeAfterAll, makeLinkedPartnerRequest } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { until } from '../support/poll.ts';
import { openScene } from '../support/scene.ts';
import { type CollectedSpan, startSpanCollector } from '../support/span-collector.ts';

const collector = await disposeAfterAll(startSpanCollector());
const scene = await disposeAfterAll(openScene({ env: collector.env }));

/** From the span up to the caller's own, by its parents. */
function pathOf(span: CollectedSpan, spans: readonly CollectedSpan[]): CollectedSpan[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [span] : [...pathOf(parent, spans), span];
}

it("one trace leads from the partner's call through bus, outbox, job and issuance to the webhook", async () => {
  const [traceId, callerSpan] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  const { sandbox } = scene.partners;
  const body = makeLinkedPartnerRequest({ callbackUrl: sandbox.callbackUrl });
  const answer = await scene.call({
    path: '/collector/linked-partner/request',
    body,
    token: sandbox.token,
    headers: { traceparent: `00-${traceId}-${callerSpan}-01` },
  });
  expect(answer.status).toBe(200);
  const { headers } = await sandbox.hears(body.referenceTransaction, 'certificate.issued');
  const spans = () => collector.spans().filter((span) => span.traceId === traceId);
  const webhook = await until('the span of the webhook', () =>
    spans().find(({ name }) => name === 'POST webhook'),
  );
  expect(headers.traceparent).toBe(`00-${traceId}-${webhook.spanId}-01`);
  const path = await until('every span on the way to it', () => {
    const found = pathOf(webhook, spans());
    return found[0]?.parentSpanId === callerSpan ? found : undefined;
  });
  const steps = path.map(({ service, kind }) => `${service} ${kind}`);
  expect(steps[0]).toBe('gateway server');
  expect(steps.at(-1)).toBe('notifier client');
  for (const step of [
    'gateway client',
    'intake server',
    'intake producer',
    'intake consumer',
    'generation producer',
    'generation consumer',
    'notifier consumer',
  ])
    expect(steps).toContain(step);
  // Whoever publishes is right above whoever works on it.
  for (const [index, { kind }] of path.entries())
    if (kind === 'consumer') expect(path[index - 1]?.kind).toBe('producer');
  const facts = Object.assign({}, ...spans().map(({ attributes }) => attributes));
  expect(facts).toMatchObject({
    'http.request.method': 'POST',
    'messaging.system': 'nats',
    'rpc.system': 'trpc',
    'db.system.name': 'postgresql',
  });
  expect(path[0]?.resource).toMatchObject({
    'service.name': 'gateway',
    'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
    'service.instance.id': expect.any(String),
  });
});

it('a trace that begins at the gateway begins with its span', async () => {
  const { sandbox } = scene.partners;
  const query = { referenceTransaction: 'of-no-request' };
  const path = '/middleware/signature-request/status';
  const { body } = await scene.call({ path, query, token: sandbox.token });
  const { traceId } = body as { traceId: string };
  const spans = await until('the spans of the call', () => {
    const found = collector.spans().filter((span) => span.traceId === traceId);
    return found.some(({ service }) => service === 'intake') && found.some(isFirst) ? found : undefined;
  });
  expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toMatchObject([
    { service: 'gateway', kind: 'server' },
  ]);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  for (const { parentSpanId } of spans) if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId);
});

function isFirst({ service, kind }: CollectedSpan): boolean {
  return service === 'gateway' && kind === 'server';
}
