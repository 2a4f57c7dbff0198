import type { Operation } from '@rubrica/contracts/rest/operation';
import { operations } from '@rubrica/contracts/rest/operations';
import { makeLinkedPartnerRequest } from '@rubrica/testkit';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyOddity, deeplyNested, oddText } from './support/oddities.ts';
import { type Answer, type Call, parseErrorAnswer } from './support/rest.ts';
import { closeAfterAll, joinScene } from './support/scene.ts';

const livingPids = () => Object.values(scene.stack.info().services).map(({ pid }) => pid);

const scene = await closeAfterAll(joinScene());
const pids = livingPids();

afterAll(() => expect(livingPids(), 'no service died of what it was sent').toEqual(pids));

const posted: Operation[] = Object.values(operations).filter(({ method }) => method === 'POST');
const json = posted.filter(({ mediaType, body }) => mediaType === undefined && body !== undefined);

/** Never a 5xx, and whatever is refused is refused with the error object and without a word of the program. */
function assertClear(answer: Answer): void {
  if (answer.status === 200) return;
  const { message, messages, errors } = parseErrorAnswer(answer);
  const said = JSON.stringify([message, messages, errors]);
  expect(answer.status).toBeLessThan(500);
  expect(said).not.toMatch(/node_modules|\.ts:\d|\.js:\d|at \w+ \(|ZodError|SyntaxError|TypeError|undefined/);
}

const send = (operation: Operation, body: NonNullable<Call['body']>, headers: Record<string, string> = {}) =>
  scene.call({ path: operation.path, body, headers, token: scene.partners.sandbox.token });

/** A body with the fields of the schema, each in order, odd, or left out. */
function oddBody(operation: Operation): fc.Arbitrary<object> {
  const fields = Object.keys(operation.body?.shape ?? {});
  const wellFormed: Record<string, unknown> = makeLinkedPartnerRequest();
  return fc
    .record(
      Object.fromEntries(fields.map((field) => [field, fc.oneof(fc.constant(wellFormed[field]), anyOddity)])),
      { requiredKeys: [] },
    )
    .chain((body) => fc.tuple(fc.constant(body), fc.dictionary(oddText, anyOddity, { maxKeys: 2 })))
    .map(([body, strangers]) => ({ ...strangers, ...body }));
}

describe('bad input', () => {
  it.each(json.map((operation) => [operation.path, operation] as const))(
    'in fields of %s gets a clear answer',
    {
      timeout: 240_000,
    },
    async (_path, operation) => {
      await fc.assert(
        fc.asyncProperty(oddBody(operation), async (body) => assertClear(await send(operation, body))),
        { numRuns: 150, interruptAfterTimeLimit: 120_000 },
      );
    },
  );

  it.each(posted.map((operation) => [operation.path, operation] as const))(
    'that is no JSON object at %s gets a clear 4xx',
    async (_path, operation) => {
      const bodies = fc.oneof(
        fc.string(),
        fc.json(),
        // Bytes as they are: most of it is not even UTF-8.
        fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)),
        fc.constant(new Uint8Array([...Buffer.from('{"a":"'), 0xc3, 0x28, ...Buffer.from('"}')])),
        fc.constantFrom('', '{', '[]', 'null', '"', '{"a":1,}', '\ufeff{}', '{"a":"\\ud800"}', 'NaN', '{}{}'),
        fc.constantFrom(...['{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}']),
        deeplyNested,
      );
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          const answer = await send(operation, body);
          assertClear(answer);
          expect(answer.status).toBeGreaterThanOrEqual(400);
        }),
        { numRuns: 60, interruptAfterTimeLimit: 60_000 },
      );
    },
  );

  it('in a query gets a clear answer', async () => {
    const gets = Object.values(operations).filter(({ method }) => method === 'GET');
    const query = fc.dictionary(
      fc.oneof(
        fc.constantFrom('type', 'referenceTransaction', 'linkedPartnerRequestId', '__proto__'),
        oddText,
      ),
      oddText,
      { maxKeys: 3 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...gets), query, async ({ path }, fields) =>
        assertClear(await scene.call({ path, query: fields, token: scene.partners.sandbox.token })),
      ),
      { numRuns: 150, interruptAfterTimeLimit: 120_000 },
    );
  });

  it.each([
    ['text/plain', 415],
    ['application/xml', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json; charset=utf-8', 400],
  ])('of the type %s is answered %i', async (type, status) => {
    // The tests above have used up what one partner may send of these in a minute.
    for (const operation of json.filter(({ path }) => path !== '/gateway/events/test')) {
      const answer = await send(operation, '{}', { 'content-type': type });
      expect(answer.status).toBe(status);
      assertClear(answer);
    }
  });

  it('larger than a body may be is 413, and a known address with another method 405', async () => {
    const cancel = operations.cancelLinkedPartner;
    const large = await send(cancel, { reason: 'x'.repeat(cancel.maxBodyBytes) });
    expect(large.status).toBe(413);
    expect(parseErrorAnswer(large).code).toMatch(/TOO_LARGE/);
    const wrong = await scene.call({
      method: 'DELETE',
      path: cancel.path,
      token: scene.partners.sandbox.token,
    });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toContain('POST');
    expect(parseErrorAnswer(wrong).code).toBe('METHOD_NOT_ALLOWED');
  });

  it.each(['/nowhere', '/collector/linked-partner/request/x', '/%00', '/%ff', '/..%2f..%2fetc/passwd', '//'])(
    'as the address %s is 404 or 400',
    async (path) => {
      const answer = await scene.call({
        path: `${scene.stack.info().baseUrl}${path}`,
        token: scene.partners.sandbox.token,
      });
      expect([400, 404]).toContain(answer.status);
      assertClear(answer);
    },
  );

  it('does not reach the prototype of anything', async () => {
    const body = JSON.stringify(
      makeLinkedPartnerRequest({ callbackUrl: scene.partners.sandbox.callbackUrl }),
    );
    const poisoned = body.replace(
      '{',
      '{"__proto__":{"status":"GENERATED"},"constructor":{"prototype":{"polluted":1}},',
    );
    const answer = await send(operations.registerLinkedPartner, poisoned);
    assertClear(answer);
    expect(
      await scene.call({ path: '/middleware/signature-request/status', token: scene.partners.sandbox.token }),
    ).toMatchObject({
      status: 400,
    });
  });
});
