import { expect, it } from 'vitest';
import { operatorActor } from './support/operator-actor.ts';
import { until } from './support/poll.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

/** Needs manual review, in every family. */
const reviewed = '2450001504';
const password = 'Clave larga 1.~';

type Operator = Awaited<ReturnType<typeof operatorActor>>;

const scene = await closeAfterAll(joinScene());
const info = scene.stack.info();
const reviewer = await operatorActor(info, 'reviewer');
const reviewer2 = await operatorActor(info, 'reviewer2');
const viewer = await operatorActor(info, 'viewer');

function get(path: string, { token }: Operator, signal?: AbortSignal) {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${scene.stack.info().baseUrl}${path}`, { headers, ...(signal && { signal }) });
}

it('operators hear over the whole stack what happens, and see who looks at a case', async () => {
  const page = new AbortController();
  const live = await get('/live', viewer, page.signal);
  expect(live.status).toBe(200);
  const pieces: string[] = [];
  const reading = (async () => {
    for await (const piece of live.body?.pipeThrough(new TextDecoderStream()) ?? []) pieces.push(piece);
  })().catch(() => undefined);
  const hears = (name: string, data: object) =>
    until(
      `${name} on the stream`,
      async () => pieces.join('').includes(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`) || undefined,
    );
  const { requestId } = await scene.partners.sandbox.accepted({ identificationNumber: reviewed, password });
  await hears('review.changed', { requestId, change: 'waiting' });
  await reviewer.call('reviews.open', { requestId });
  await hears('review.changed', { requestId, change: 'presence' });
  const { openedBy } = await reviewer2.call('reviews.get', { requestId });
  expect(openedBy.map(({ operator }) => operator)).toEqual([reviewer.email]);
  await reviewer.call('reviews.approve', { requestId });
  await hears('review.changed', { requestId, change: 'decided' });
  await until(
    'the certificate on the stream',
    async () =>
      new RegExp(`event: certificate.issued\\ndata: \\{"requestId":"${requestId}"`).test(pieces.join('')) ||
      undefined,
  );
  page.abort();
  await reading;
});

it('requests, certificates and service levels are found, counted and given as a table', async () => {
  const { requestId, reference } = await scene.partners.sandbox.accepted({
    applicantName: '=Zoraida',
    applicantLastName: 'Xolalpa',
    email: 'zoraida@views.example',
    password,
  });
  const certificate = await until('its certificate', async () => {
    const { items } = await reviewer.call('certificates.search', { name: 'zoraida xol', requestId });
    return items[0];
  });
  expect(certificate.requestId).toBe(requestId);
  for (const [operator, filters] of [
    [viewer, { name: 'xolalpa zora' }],
    [reviewer, { email: 'ZORAIDA@views' }],
    [viewer, { name: 'xolalpa', family: 'TV' }],
  ] as const)
    expect((await operator.call('requests.search', filters)).items.map((item) => item.requestId)).toContain(
      requestId,
    );
  // A viewer would find out the rest of a masked address letter by letter.
  await expect(viewer.call('requests.search', { email: 'z' })).rejects.toThrow('FORBIDDEN');
  const { partnerId } =
    (await viewer.call('requests.search', { referenceTransaction: reference })).items[0] ?? {};

  const csv = await (await get('/reports/requests.csv?name=zoraida', viewer)).text();
  expect(csv).toContain(`${reference},******`);
  expect(csv).toContain(",'=Zoraida Xolalpa");

  const levels = await until('a delivered webhook in the figures', async () => {
    const { items, hasWebhooks } = await viewer.call('reports.serviceLevels', {
      ...(partnerId && { partnerId }),
    });
    const [row] = items;
    return hasWebhooks && row !== undefined && row.issued > 0 && row.webhooksDelivered > 0 ? row : undefined;
  });
  expect(levels.registered).toBeGreaterThanOrEqual(levels.issued);
  expect(levels.certificateP50Seconds).toBeGreaterThan(0);
  const table = await (await get(`/reports/service-levels.csv?month=${levels.month}`, viewer)).text();
  expect(table.split('\r\n')[0]).toContain('month,partnerId,partnerName,registered,issued');
  expect(table).toContain(`${levels.month},${partnerId},`);
});
