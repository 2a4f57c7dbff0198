import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import { buildDocument } from '@rubrica/openapi/build-document';
import { disposeAfterAll } from '@rubrica/testkit';
import { expect, test } from 'vitest';
import {
  arrangeSuccess,
  basic,
  type Document,
  type DocumentedCall,
  documentedCalls,
} from './support/documented-calls.ts';
import { testGateway } from './support/gateway.ts';
import { call } from './support/http.ts';

/** What certificates name is no JSON; tests of its own ask for it. */
const calls = documentedCalls(
  buildDocument({ baseUrl: 'http://gateway.localhost', version: '1' }) as unknown as Document,
).filter(({ operationId }) => operationId in operations);
const gateway = await disposeAfterAll(testGateway());
arrangeSuccess(gateway);
const token = await gateway.token();

function send({ method, path, access, form, mediaType, body }: DocumentedCall) {
  if (mediaType !== undefined) return sendLine({ method, path, access, mediaType, body });
  return call(gateway.url + path, {
    method,
    ...(access === 'token' ? { token } : {}),
    ...(access === 'client' ? { headers: { authorization: basic } } : {}),
    ...(body === undefined
      ? {}
      : { body: form ? new URLSearchParams(body as Record<string, string>) : body }),
  });
}

/** Of a batch the example is one line, and so is the answer. */
function sendLine({
  method,
  path,
  access,
  mediaType = '',
  body,
}: Omit<DocumentedCall, 'form' | 'operationId' | 'shows'>) {
  const headers = { 'content-type': mediaType };
  const own = access === 'token' ? { token } : {};
  return call(gateway.url + path, { method, headers, body: JSON.stringify(body), ...own });
}

test('every operation is documented with a call that can be sent', () => {
  const shown = new Set(calls.map(({ operationId }) => operationId));
  expect([...shown].toSorted()).toEqual(Object.keys(operations).toSorted());
});

test.each(calls)('$operationId, $shows: is taken, and answered as its schema says', async (documented) => {
  const answer = await send(documented);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  const { success } = operations[documented.operationId as OperationId];
  expect(success.parse(answer.json())).toEqual(answer.json());
});

test.each(calls.filter(({ access }) => access === 'token'))(
  '$operationId, $shows: is refused without the token that it is documented to need',
  async (documented) => {
    expect((await send({ ...documented, access: 'none' })).status).toBe(401);
  },
);
