import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { argv } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { linkedPartnerBody } from '../test/support/bodies.ts';
import { answerQuestions } from './parts.ts';

export interface Order {
  readonly bodies: number;
  /** Of all together. */
  readonly bytesPerSecond: number;
}

const { url, token } = JSON.parse(argv[2] as string) as { url: string; token: string };
const { evidences: _, ...fields } = linkedPartnerBody();
const body = evidenceBody(fields);
const headers = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'content-length': body.length,
};
const pieceBytes = 256 * 1024;

/** Six files as arrays of integers, 60 MB; each begins like a PDF, so that it is of an allowed type. */
function evidenceBody(fields: object): Buffer {
  const evidences = Array.from({ length: 6 }, () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(2_800_000)]);
    return `{"evidenceFile":[${bytes.join(',')}]}`;
  });
  return Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"evidences":[${evidences.join(',')}]}`);
}

function send(bytesPerSecond: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/collector/linked-partner/request`, {
      method: 'POST',
      headers,
      agent: false,
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    void write(outgoing, bytesPerSecond);
  });
}

async function write(outgoing: ReturnType<typeof request>, bytesPerSecond: number): Promise<void> {
  const start = performance.now();
  for (let at = 0; at < body.length; at += pieceBytes) {
    const early = (at / bytesPerSecond) * 1000 - (performance.now() - start);
    if (early > 1) await delay(early);
    if (!outgoing.write(body.subarray(at, at + pieceBytes))) {
      await new Promise((resolve) => outgoing.once('drain', resolve));
    }
  }
  outgoing.end();
}

/** Statuses of all. */
answerQuestions(({ bodies, bytesPerSecond }: Order) =>
  Promise.all(Array.from({ length: bodies }, () => send(bytesPerSecond / bodies))),
);
