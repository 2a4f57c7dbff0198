import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createRubrica } from '@rubrica/sdk';
import { makeLinkedPartnerRequest, makeReference } from '@rubrica/testkit';
import { expect, it } from 'vitest';
import { closeAfterAll, joinScene } from './support/scene.ts';

const path = '/collector/linked-partner/batch';
const run = promisify(execFile);

interface BatchLine {
  readonly line: number;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const scene = await closeAfterAll(joinScene());
const token = scene.partners.sandbox.token;

function bodyOf(referenceTransaction: string, overrides: object = {}) {
  const { callbackUrl } = scene.partners.sandbox;
  return makeLinkedPartnerRequest({ referenceTransaction, callbackUrl, ...overrides });
}
const lineOf = (reference: string, overrides: object = {}) => JSON.stringify(bodyOf(reference, overrides));
const linesOf = (answer: string) =>
  answer
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as BatchLine);
const urlOf = (query = '') => `${scene.stack.info().baseUrl}${path}${query}`;
const headers = () => ({ authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' });

it('takes a file of lines that curl sends, and issues what they ask for', async () => {
  const [first, second] = [makeReference(), makeReference()];
  const file = join(scene.folder, 'requests.ndjson');
  const lines = [lineOf(first), '', lineOf(first, { city: 'Cuenca' }), '{"a":1}', 'no JSON', lineOf(second)];
  await writeFile(file, `\ufeff${lines.join('\r\n')}\r\n`);
  const { authorization } = headers();
  const { stdout } = await run('curl', [
    ...['-sS', '-f', '-H', `Authorization: ${authorization}`, '-H', 'Content-Type: application/x-ndjson'],
    ...['--data-binary', `@${file}`, urlOf()],
  ]);
  const answers = linesOf(stdout);
  expect(answers.map(({ line, status }) => [line, status])).toEqual([
    [1, 200],
    [3, 409],
    [4, 400],
    [5, 400],
    [6, 200],
  ]);
  expect(answers[1]?.body).toMatchObject({ code: 'DUPLICATED_REFERENCE_TRANSACTION', path });
  expect(answers[3]?.body).toMatchObject({ code: 'BODY_MALFORMED' });
  for (const reference of [first, second]) {
    await scene.partners.sandbox.reaches(reference, 'GENERATED');
    await scene.partners.sandbox.hears(reference, 'certificate.issued');
  }
});

it('answers while the body is still being sent, and loses no answer of a caller who reads at the end', async () => {
  const references = Array.from({ length: 200 }, () => makeReference());
  const outgoing = request(urlOf(), { method: 'POST', headers: headers(), agent: false });
  const response = once(outgoing, 'response');
  outgoing.write(`${lineOf(references[0] ?? '')}\n`);
  const [incoming] = await response;
  for (const reference of references.slice(1)) {
    if (!outgoing.write(`${lineOf(reference)}\n`)) await once(outgoing, 'drain');
  }
  outgoing.end();
  const answers = linesOf(await text(incoming));
  expect(answers.map(({ body }) => body.referenceTransaction)).toEqual(references);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

it('tries lines without registering them', async () => {
  const reference = makeReference();
  const body = `${lineOf(reference)}\n${lineOf(reference, { email: 'no' })}`;
  const answer = await fetch(urlOf('?dryRun=true'), { method: 'POST', headers: headers(), body });
  expect(linesOf(await answer.text()).map(({ status, body: { valid } }) => [status, valid])).toEqual([
    [200, true],
    [400, undefined],
  ]);
  expect((await scene.partners.sandbox.register({ referenceTransaction: reference })).status).toBe(200);
});

it('is what the SDK sends many registrations by', async () => {
  const { baseUrl, partners } = scene.stack.info();
  const { clientId, clientSecret } = partners.sandbox;
  const rubrica = createRubrica({ baseUrl, clientId, clientSecret });
  const references = Array.from({ length: 25 }, () => makeReference());
  const inputs = references.map((reference) => bodyOf(reference));
  const told: [string, string | undefined][] = [];
  for await (const one of rubrica.linkedPartner.registerMany(inputs as never[], { linesPerCall: 10 }))
    told.push([one.referenceTransaction, one.registered?.status]);
  expect(told).toEqual(references.map((reference) => [reference, 'REGISTERED']));
});
